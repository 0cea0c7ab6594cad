/** The panel of the Provisioning settings. */
export const mainPanelId = 1

/** The facts about a panel that `choosePanel` needs. */
export type PanelChoice = {
  id: number
  acceptsLines: boolean
  isDefault: boolean
  /** The plans whose new lines are created on this panel. */
  planIds: readonly number[]
  /** Null for no limit. */
  lineLimit: number | null
  /** Counted only for a panel with a limit. */
  lines: number
}

const hasRoom = ({ lineLimit, lines }: PanelChoice): boolean => lineLimit === null || lines < lineLimit

/**
 * Returns the id of the panel for a new line: the panel of its plan, if that is below its limit; otherwise the first panel that is not reserved for plans, has
 * a limit and is below it; otherwise the default panel, whatever its number of lines. Panels that are closed for new lines are skipped. `planId` is null for a
 * trial.
 */
export function choosePanel(planId: number | null, panels: readonly PanelChoice[]): number {
  const open = panels.filter(({ acceptsLines }) => acceptsLines)
  const ofPlan = open.find((panel) => planId !== null && panel.planIds.includes(planId) && hasRoom(panel))
  const withRoom = open.find((panel) => panel.planIds.length === 0 && panel.lineLimit !== null && hasRoom(panel))
  const chosen = ofPlan ?? withRoom ?? open.find(({ isDefault }) => isDefault)
  if (!chosen) throw new Error('No panel accepts new lines')
  return chosen.id
}
