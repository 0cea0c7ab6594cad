/** The name of a country in English; the code where the browser has no name for it. */
export const countryName = (code: string): string => new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? code
