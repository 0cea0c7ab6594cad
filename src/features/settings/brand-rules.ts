// Every page needs these, so they are in a file without the texts of `rules.ts`.

/** The hue of the default style sheet, in degrees. */
export const defaultHue = 41

/** The address of the style sheet of an accent hue; undefined for the hue of the default style sheet. */
export const accentPath = (hue: number): string | undefined =>
  hue === defaultHue ? undefined : `/accent/v1-${hue}.css`
