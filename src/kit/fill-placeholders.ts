/** Replaces `{name}` placeholders in a text with values. Unknown placeholders are not changed. */
export const fillPlaceholders = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (whole: string, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole))
