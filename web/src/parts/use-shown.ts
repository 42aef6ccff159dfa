import { useEffect, useRef } from 'preact/hooks';

/**
 * Whether the component is still shown. An answer that arrives later must not change the address, which then names what the
 * visitor opened meanwhile.
 */
export function useShown(): { readonly current: boolean } {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}
