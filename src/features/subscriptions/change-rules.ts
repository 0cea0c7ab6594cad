type Offered = { price: number; connections: number }

/** An upgrade costs more and has at least as many screens. A downgrade neither costs more nor has more screens. Anything else is a change. */
export function changeKind(from: Offered, to: Offered): 'Upgrade' | 'Downgrade' | 'Change' {
  if (to.price > from.price) return to.connections >= from.connections ? 'Upgrade' : 'Change'
  return to.connections <= from.connections ? 'Downgrade' : 'Change'
}

const screensOf = (feature: string): number | undefined => {
  const [, digits] = /^(\d+) (?:screen|connection)/i.exec(feature) ?? []
  return digits === undefined ? undefined : Number(digits)
}
/** Returns the gained and the lost features. A changed number of screens is listed only once: as gained if it is higher, as lost if it is lower. */
export function featureChanges(
  current: readonly string[],
  next: readonly string[],
): { gained: string[]; lost: string[] } {
  const gained = next.filter((feature) => !current.includes(feature))
  const lost = current.filter((feature) => !next.includes(feature))
  const [to, from] = [gained, lost].map((features) => features.find((feature) => screensOf(feature) !== undefined))
  if (to === undefined || from === undefined) return { gained, lost }
  const without = (features: string[], one: string) => features.filter((feature) => feature !== one)
  return screensOf(to)! > screensOf(from)!
    ? { gained: gained.map((each) => (each === to ? `${to} instead of ${from}` : each)), lost: without(lost, from) }
    : { gained: without(gained, to), lost: lost.map((each) => (each === from ? `${from} (reduced to ${to})` : each)) }
}
