/** A text with the values of its `{names}` in their places; names it does not know stay as they are. */
export const fillPlaceholders = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (whole: string, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole))
