import type { Mutant } from './mutant.ts'

const provisioning = 'src/features/provisioning'
const server = `${provisioning}/server`
const panelsTest = `${provisioning}/panels.test.ts`
const movesTest = `${provisioning}/moves.test.ts`

/** Returns a mutant that removes a control of several panels: `text`, which occurs in `file` once, is replaced by `instead`. */
const control = (name: string, file: string, text: string, instead: string, test = movesTest): Mutant => ({
  control: `panel: ${name}`,
  edits: [{ file, text, instead }],
  tests: [test],
})
const choice = (name: string, text: string, instead: string): Mutant =>
  control(
    `panel choice: ${name}`,
    `${provisioning}/panel-rules.ts`,
    text,
    instead,
    `${provisioning}/panel-rules.test.ts`,
  )

const panels: Mutant[] = [
  choice('plan', 'planId !== null && panel.planIds', 'false && panel.planIds'),
  choice('limit', 'lineLimit === null || lines < lineLimit', 'true'),
  choice('default', '=> isDefault)', '=> true)'),
  choice('only panels that accept lines', '=> acceptsLines)', '=> true)'),
  control(
    'lock of the last free line of a panel',
    `${server}/panel-rows/read-panels.ts`,
    ' order by id for no key update',
    '',
    panelsTest,
  ),
  control('one process calls a panel', `${server}/worker/panel-lease.ts`, 'panelId), isFree, lte(', 'panelId), lte('),
  control(
    'lease of one panel only',
    `${server}/worker/panel-lease.ts`,
    'and(eq(linePanel.id, panelId), isFree,',
    'and(isFree,',
    panelsTest,
  ),
  control(
    'repair of one panel only',
    `${server}/drift/list.ts`,
    'panelId === undefined ? undefined : eq(lineDrift.panelId, panelId)',
    'undefined',
    panelsTest,
  ),
  control(
    'stored key for its address only',
    `${server}/panel-rows/save-panel.ts`,
    "form.key === '' &&\n        !isSamePanel",
    'false && !isSamePanel',
    panelsTest,
  ),
]

const moves: Mutant[] = [
  control(
    'conditional update of a job that was moved',
    `${server}/job-store.ts`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of the source
    'sql`${lineJobs.panelId} is not distinct from ${job.panelId}::int`',
    'sql`true`',
  ),
  control(
    'switch after the new line was read',
    `${server}/worker/record.ts`,
    "if (step === 'create') await saveCreatedLine(tx, key(), job, line)",
    'await switchLine(tx, key(), config, job, line)',
  ),
  control(
    'switch after other calls',
    `${server}/worker/record.ts`,
    "if (job.cause === 'move' && (await hasOtherCall(tx, job))) return undefined",
    '',
  ),
  control('old line disabled', `${server}/moves/switch-line.ts`, 'if (oldRef !== null)', 'if (false)'),
  control('a line in use is not disabled', `${server}/worker/load.ts`, '(await db.$count(lines, owner)) > 0', 'false'),
  control(
    'a move back creates no line',
    `${server}/worker/fetch-actual.ts`,
    "move.isBack || move.otherRef ? 'gone' : 'absent'",
    "'absent'",
  ),
  control(
    'a stopped run makes no call',
    `${server}/moves/run-moves.ts`,
    "if (change === 'stop') await withdrawJobs(tx, id, run.direction)",
    '',
  ),
  {
    control: 'panel: a stopped run queues no job',
    edits: [
      {
        file: `${server}/moves/queue-moves.ts`,
        text: "select from line_move_runs where state = 'running' and",
        instead: 'select from line_move_runs where',
      },
      {
        file: `${server}/moves/queue-moves.ts`,
        text: "as source\n      from line_move_runs where state = 'running' and",
        instead: "as source\n      from line_move_runs where state <> 'done' and",
      },
    ],
    tests: [movesTest],
  },
]

/** The controls of several panels, and of moving lines between panels. */
export const panelControls: Mutant[] = [...panels, ...moves]
