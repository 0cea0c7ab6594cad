import type { Check } from './check.ts'
import { files, lineAt, read } from './tree.ts'

/** Retired identifiers and their replacements. Matched as whole identifiers outside of comments and strings. */
export const retired: Record<string, string> = {
  everyPromise: 'checkInvariants',
  Promised: 'Invariant',
  ReadyBytes: 'ResponseCache',
  mayBeDoubtful: 'allowStale',
  Lane: 'ConcurrencyLimiter',
  calm: 'onRecovered',
  ownTurn: 'yieldToEventLoop',
  evenly: 'withMinimumDuration',
  withEnding: 'withDeferredWrites',
  actingFor: 'sessionGuardedDb',
  databaseBehind: 'unguarded',
  Pieces: 'AppOptions or a name for its content',
  dropReady: 'clearResponseCache',
  wakeable: 'startWorkerLoop',
  supervise: 'runPrimary',
  nobodyIsNull: 'nullWhenSignedOut',
  Act: 'Actor or Approver (server/session/actor.ts)',
  given: 'params, ctx or input',
  Given: 'Params',
  House: 'AppContext',
  house: 'app or context',
  Standing: 'Entitlement',
  wantedBy: 'desiredState',
  tookPlace: 'a transition of the job store',
  giveAccount: 'a transition of the job store',
  takeTurn: 'acquireLease',
  madeByHand: 'manual',
  Dialect: 'PanelAdapter',
  speaking: 'PanelConnection',
  Heard: 'PanelResponse',
  Works: 'WorkerContext',
  Make: 'PanelType',
  doubtsAbout: 'reviewFlags',
  doubtWords: 'reviewFlagTexts',
  paper: 'pdf',
  letter: 'mailBody',
  Letter: 'MailContent',
  shelves: 'catalog resource',
  Stepped: 'buckets',
  adminViews: 'changes',
  linePages: 'changes',
  heldBy: 'enforcedBy',
  lockPeople: 'lockUserAndAdmin',
  DialogError: 'FormError',
  expectBooksToBalance: 'expectInvariants',
  HttpPerson: 'HttpUser',
  personCalled: 'httpUser',
  personAt: 'loggedInUser',
}

/**
 * Retired identifiers that parts of the tree still use. Move an entry to `retired` once it is gone everywhere.
 * `npm run check` does not look for these.
 */
export const pending: Record<string, string> = {
  stray: 'orphan',
}

const code = /^(src|scripts|bench|test|e2e)\/.*\.(tsx?|js)$/
const excluded = /^scripts\/checks\/(retired-words|checks\.test)\.ts$/

/** Replaces comments and string literals by blanks of the same length, so that line numbers stay correct. */
export function withoutCommentsAndStrings(text: string): string {
  const literal = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g
  return text.replace(literal, (found) => found.replace(/[^\n]/g, ' '))
}

/** A word that another lower-case word follows is text between JSX tags, unless that word is an operator. */
const prose = ' (?!(?:in|of|is|as|satisfies|instanceof|extends)\\b)[a-z]'

/** Lists the retired identifiers in a text, each with its replacement. */
export function retiredIdentifiersIn(file: string, text: string, names = retired): string[] {
  const bare = withoutCommentsAndStrings(text)
  return Object.entries(names).flatMap(([name, replacement]) =>
    Array.from(
      bare.matchAll(new RegExp(`(?<![\\w$-])${name}(?![\\w$-]|${prose})`, 'g')),
      ({ index }) => `${file}:${lineAt(bare, index)} ${name} is a retired identifier: use ${replacement}`,
    ),
  )
}

export const retiredIdentifierCheck: Check = {
  name: 'no retired identifiers',
  run: () =>
    files(code)
      .filter((file) => !excluded.test(file))
      .flatMap((file) => retiredIdentifiersIn(file, read(file))),
}

/** Matches idioms. Replace them with a sentence that says who does what. */
const idioms =
  /\b(whoever|nobody else|nobody|somebody|everybody|meanwhile|anew|so many|lets? go of|is told|are told|tells of|stands? (?:in|on|at|for|still)|looks? after|looked after|by itself|of its own accord|for good|makes? up for|is had|the books|the till|ground floor)\b/gi
/** Matches that are not idioms: the Unix account `nobody`, usernames and email addresses in tests, search terms, program titles. */
const allowed =
  /`nobody`|'nobody'|"nobody"|moderator nobody null|\bnobody(?=\|)|postgres:\/\/nobody|\b(?:nobody|somebody)[-@][\w$]|'somebody(?: else)?'|'nobody at all'|nobody%20at%20all|Somebody always did it/gi

/** Lists the idioms in a text. */
export function idiomsIn(file: string, text: string): string[] {
  const checked = text.replace(allowed, (found) => ' '.repeat(found.length))
  return Array.from(
    checked.matchAll(idioms),
    ({ 0: found, index }) => `${file}:${lineAt(checked, index)} "${found}": say who does what, in standard terms`,
  )
}

export const idiomCheck: Check = {
  name: 'no idioms',
  run: () =>
    files(code)
      .filter((file) => !excluded.test(file))
      .flatMap((file) => idiomsIn(file, read(file))),
}
