/**
 * A ref callback that sets custom properties of an element. The content security policy forbids style attributes in HTML, so positions are set by
 * script, on elements that the server does not render.
 */
export const cssVariables = (properties: Record<string, number>) => (element: HTMLElement | null) => {
  for (const [name, value] of Object.entries(properties)) element?.style.setProperty(`--${name}`, String(value))
}
