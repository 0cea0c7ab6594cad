import { differencesOf } from './compare.ts'
import type { Entry, FixtureFolder } from './folder.ts'
import { readFile } from './read-file.ts'
import { stateOf } from './state.ts'

export type FileResult = { file: string; differences: string[] }

/** Checks each file of a folder separately in its world; files named by `after` are booked first. An error counts as a difference. */
export async function checkFolder(folder: FixtureFolder): Promise<FileResult[]> {
  const results: FileResult[] = []
  for (const entry of folder.entries) {
    const { file } = entry
    try {
      results.push({ file, differences: await differencesIn(entry, folder) })
    } catch (error) {
      results.push({ file, differences: [`failed: ${error instanceof Error ? error.message : String(error)}`] })
    }
  }
  return results
}

async function differencesIn(entry: Entry, folder: FixtureFolder): Promise<string[]> {
  const state = stateOf(folder.world)
  for (const before of filesBefore(entry, folder)) await readFile(folder, before, state, true)
  return differencesOf(entry, await readFile(folder, entry, state, false))
}

/** Returns the files to book before this file, in order and without duplicates. They include the files that must be booked before those files. */
function filesBefore(entry: Entry, { entries }: FixtureFolder): Entry[] {
  const ordered = new Set<Entry>()
  const visit = (each: Entry, path: string[]) => {
    for (const name of [each.expect.after ?? []].flat()) {
      if (path.includes(name)) throw new Error(`${name} comes after itself`)
      const before = entries.find(({ file }) => file === name)
      if (!before) continue
      visit(before, [...path, name])
      ordered.add(before)
    }
  }
  visit(entry, [entry.file])
  return [...ordered]
}
