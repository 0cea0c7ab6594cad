import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'

type Person = { username: string; email: string }

/** Words of this product's field, which every attacker adds to the list. */
const ownWords = [
  'sauce',
  'saucetv',
  'iptv',
  'iptvpass',
  'streaming',
  'television',
  'testpass',
  'welcome',
  'changeme',
  'rockyou',
]
const alike: Record<string, string> = { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '0': 'o', $: 's', '5': 's' }

let known: Promise<Set<string>> | undefined
/** More than 40,000 leaked passwords of at least six characters, in lower case. Loaded when the first password is judged. */
const leaked = (): Promise<Set<string>> => {
  known ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'] as string[]),
  )
  return known
}

/** Whether a person who knows this user's name, address and the brand would guess the password soon. */
export async function isGuessablePassword(
  db: Db | Tx,
  password: string,
  { username, email }: Person,
): Promise<boolean> {
  const { brand } = await settings.read(db, 'site')
  const list = await leaked()
  const typed = password.toLowerCase()
  if (list.has(typed) || isPattern(typed)) return true
  const address = email.toLowerCase()
  const context = [brand.name, brand.name.replaceAll(/\s+/g, ''), username, address, address.split('@')[0]!].map(
    (word) => word.toLowerCase(),
  )
  const words = [...ownWords, ...context, ...context.map(bare)].filter((word) => word.length >= 3)
  const spellings = [typed, plain(typed), plain(bare(typed))]
  const isDecorated = (word: string) =>
    spellings.some((each) => each.startsWith(word) && decoration.test(each.slice(word.length)))
  return words.some(isDecorated) || spellings.map(bare).some((word) => word.length >= 4 && list.has(word))
}

/** Without the year, digits or marks at the end that make a word look like a password. */
const bare = (text: string): string => text.replace(/[\d!.?#*_-]{1,8}$/, '')
const decoration = /^[\d!.?#*_-]{0,8}$/
/** Replaces signs and digits that look like letters: `p@ssw0rd` becomes `password`. */
const plain = (text: string): string => text.replaceAll(/[@431$05]/g, (sign) => alike[sign] ?? sign)

/** One to four characters over and over, or a run of the alphabet, of digits or of the keyboard. */
function isPattern(typed: string): boolean {
  for (let unit = 1; unit <= 4 && unit * 2 <= typed.length; unit++)
    if (
      typed
        .slice(0, unit)
        .repeat(Math.ceil(typed.length / unit))
        .slice(0, typed.length) === typed
    )
      return true
  return runs.some((run) => run.includes(typed))
}
const forward = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
]
const runs = forward.flatMap((run) => [run, [...run].reverse().join('')])
