/** The territory code for rights that are not limited to countries. */
export const world = 'WORLD'
/** Normalizes a list of territories: upper-case codes, sorted, without duplicates, separated by commas. `WORLD` replaces all others. */
export function normalizeTerritories(text: string): string {
  const codes = [...new Set(text.toUpperCase().split(/[\s,;]+/))].filter(Boolean).sort()
  return codes.includes(world) ? world : codes.join(',')
}
const territoriesPattern = /^(WORLD|[A-Z]{2}(,[A-Z]{2}){0,249})$/
/** Whether a normalized list of territories can be stored. */
export const isTerritoryList = (text: string): boolean => territoriesPattern.test(text)
/** Returns the territories as shown to administrators: `CA, US` or `Worldwide`. */
export const territoryText = (territories: string): string =>
  territories === world ? 'Worldwide' : territories.replaceAll(',', ', ')

export const rightStates = ['in_force', 'ending', 'upcoming', 'lapsed'] as const
export type RightState = (typeof rightStates)[number]
export const rightStateNames: Record<RightState, string> = {
  in_force: 'In force',
  ending: 'Ends soon',
  upcoming: 'Not yet in force',
  lapsed: 'Lapsed',
}
/** A right that ends within this many days is shown as ending soon. */
export const warningDays = 30
