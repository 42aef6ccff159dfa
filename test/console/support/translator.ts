/**
 * A script that does to a page what the translators of browsers do: each text that appears is replaced by elements. The words
 * stay, so that a translated page can be compared with one that is not.
 */
export const translator = `
  const isText = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '';
  const isTranslated = (node) => node.parentElement?.closest('font, head, script, style, textarea') != null;
  const translate = (node) => {
    if (isTranslated(node)) return;
    const outer = document.createElement('font');
    const inner = document.createElement('font');
    inner.textContent = node.data;
    outer.append(inner);
    node.replaceWith(outer);
  };
  const translateAll = (root) => {
    if (isText(root)) return translate(root);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) if (isText(walker.currentNode)) found.push(walker.currentNode);
    found.forEach(translate);
  };
  new MutationObserver((records) => {
    for (const { addedNodes, target, type } of records) {
      if (type === 'characterData') translateAll(target);
      addedNodes.forEach(translateAll);
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });
`;
