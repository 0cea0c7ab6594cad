import { dayOf } from '#server/text-files/values.ts'

type Row = { cells: string[] }

/** Returns a function that takes a row and returns a function that reads its cells by field. A field without a column is empty. */
export function cellReader<Field extends string>(
  columns: string[],
  mapping: Partial<Record<Field, string>>,
): (row: Row) => (field: Field) => string {
  const places = new Map<Field, number>()
  const placeOf = (field: Field): number => {
    const column = mapping[field]
    return column === undefined ? -1 : columns.indexOf(column)
  }
  return ({ cells }) =>
    (field) => {
      let place = places.get(field)
      if (place === undefined) {
        place = placeOf(field)
        places.set(field, place)
      }
      return cells[place] ?? ''
    }
}

/** Returns the first email address in a cell such as a note; the whole text if it contains none. */
export const emailIn = (text: string): string => /[^\s<>"(),;:]+@[^\s<>"(),;:]+/.exec(text)?.[0] ?? text

/** Returns the UTC day of a UNIX timestamp in seconds; null for any other text. */
export function dayOfTimestamp(text: string): string | null {
  if (!/^\d{9,10}$/.test(text)) return null
  const at = new Date(Number(text) * 1_000)
  return dayOf(at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate())
}
