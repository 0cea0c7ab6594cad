/** Returns the English name of a country by its code; the code itself if there is no name. */
export const countryName = (code: string): string => new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? code
