import { lazyRouteComponent } from '@tanstack/react-router'

const loading: Promise<unknown>[] = []

/**
 * Returns a component that is part of a page but has a file of its own. The server loads it together with the page, because rendering there is synchronous.
 * The browser loads it before hydration if the server has rendered it (`isRendered`; parts without this function always are): when data changes, React would
 * otherwise replace its HTML by the fallback of `Suspense`, and a click on it would be lost. After a navigation, it is loaded when it is first shown.
 */
export function pagePart<M extends Record<string, unknown>, const N extends keyof M>(
  load: () => Promise<M>,
  name: N,
  isRendered?: () => boolean,
): ReturnType<typeof lazyRouteComponent<M, N>> {
  const part = lazyRouteComponent(load, name)
  // The early clicks are recorded until hydration.
  if (import.meta.env.SSR || (window.takeClicks && isRendered?.() !== false))
    loading.push((part as { preload?: () => Promise<unknown> }).preload?.() ?? Promise.resolve())
  return part
}

/** Returns a function that tells whether the HTML of the server contains an element. */
export const isInHtml = (selector: string) => () => document.querySelector(selector) !== null

/** Resolves when the parts that must be loaded now, and the parts within them, are loaded. */
export async function loadPageParts(): Promise<void> {
  let count: number
  do {
    count = loading.length
    await Promise.all(loading)
  } while (loading.length > count)
}
