/** The panel of the Provisioning settings. */
export const mainPanelId = 1

/** The facts about one panel that the choice of a panel for a new line needs. */
export type PanelChoice = {
  id: number
  acceptsLines: boolean
  isDefault: boolean
  /** The plans whose new lines are created here. */
  planIds: readonly number[]
  /** Null for no limit. */
  lineLimit: number | null
  /** Counted only for a panel with a limit. */
  lines: number
}

const hasRoom = ({ lineLimit, lines }: PanelChoice): boolean => lineLimit === null || lines < lineLimit

/**
 * The panel for a new line. First the panel of its plan; then, in their order, the panels for all plans that have a limit and fewer lines than it;
 * then the default panel, whatever its number of lines. Panels that are closed for new lines are left out. `planId` is null for a trial.
 */
export function choosePanel(planId: number | null, panels: readonly PanelChoice[]): number {
  const open = panels.filter(({ acceptsLines }) => acceptsLines)
  const ofPlan = open.find((panel) => planId !== null && panel.planIds.includes(planId) && hasRoom(panel))
  const withRoom = open.find((panel) => panel.planIds.length === 0 && panel.lineLimit !== null && hasRoom(panel))
  const chosen = ofPlan ?? withRoom ?? open.find(({ isDefault }) => isDefault)
  if (!chosen) throw new Error('No panel accepts new lines')
  return chosen.id
}
