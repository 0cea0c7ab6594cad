/**
 * A ref that sets custom properties of an element. The policy of the site refuses style attributes in HTML, so positions are set by script, on
 * elements that only the browser creates.
 */
export const place = (properties: Record<string, number>) => (element: HTMLElement | null) => {
  for (const [name, value] of Object.entries(properties)) element?.style.setProperty(`--${name}`, String(value))
}
