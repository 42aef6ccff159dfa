import { render } from 'preact';
import { App } from './app.tsx';
import { takeKeyOfLink } from './session/demo-link.ts';
import { applyStoredTheme } from './theme.ts';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/rates.css';
import './styles/views.css';
import './styles/checks.css';
import './styles/proof.css';
import './styles/goods.css';
import './styles/country.css';
import './styles/print.css';

applyStoredTheme();
await takeKeyOfLink();
const place = document.getElementById('app');
if (place !== null) render(<App />, place);
