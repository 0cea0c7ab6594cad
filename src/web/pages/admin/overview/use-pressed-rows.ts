import { useEffect, useRef, useState } from 'react'
import type { QueueItem } from '#features/desk/admin-queue-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { announce } from '#web/ui/announce.ts'

/** How long a row stays after its action has finished, and how long it takes to collapse. */
const staysMs = 4_000
const collapseMs = 200

/** Thrown when an action could not be finished. The message is a sentence that the row shows. */
export class ActionFailedError extends Error {}
const reasonOf = (error: unknown) => (error instanceof ActionFailedError ? error.message : messageOf(error))

export type RowState = 'waiting' | 'pending' | 'done' | 'leaving'
export type Undo = () => Promise<unknown>
export type Pressed = { item: QueueItem; state: Exclude<RowState, 'waiting'>; undo?: Undo | undefined }

/**
 * Holds the rows whose button was pressed. A row keeps its place while its request runs and for four seconds afterwards, then it collapses. A failed request
 * puts the row back and shows the reason.
 */
export function usePressedRows() {
  const [rows, setRows] = useState<ReadonlyMap<string, Pressed>>(new Map())
  const [reasons, setReasons] = useState<ReadonlyMap<string, string>>(new Map())
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const running = timers.current
    return () => {
      for (const timer of running) clearTimeout(timer)
    }
  }, [])

  const set = (key: string, row: Pressed | undefined) => setRows((before) => withRow(before, key, row))
  const setReason = (key: string, reason: string | undefined) => setReasons((before) => withRow(before, key, reason))
  const later = (ms: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.current.delete(timer)
      run()
    }, ms)
    timers.current.add(timer)
  }

  /** Marks a row as done. */
  const finish = (item: QueueItem, undo?: Undo) => {
    const done: Pressed = { item, state: 'done', undo }
    const leaving: Pressed = { item, state: 'leaving' }
    setReason(item.key, undefined)
    set(item.key, done)
    // Does nothing if the row has been undone or pressed again since then.
    const replace = (row: Pressed, next: Pressed | undefined) =>
      setRows((before) => (before.get(item.key) === row ? withRow(before, item.key, next) : before))
    later(staysMs, () => {
      replace(done, leaving)
      later(collapseMs, () => replace(leaving, undefined))
    })
  }
  /** Runs the action of a row. Resolves to true if it succeeded. */
  const press = async (item: QueueItem, act: () => Promise<Undo | undefined>): Promise<boolean> => {
    set(item.key, { item, state: 'pending' })
    try {
      finish(item, await act())
      return true
    } catch (error) {
      set(item.key, undefined)
      setReason(item.key, reasonOf(error))
      announce(reasonOf(error))
      return false
    }
  }
  const putBack = (key: string, reason?: string) => {
    set(key, undefined)
    setReason(key, reason)
  }
  return { rows, reasons, press, finish, putBack }
}

/** Returns a copy of a map with one entry replaced, or removed if `value` is undefined. */
function withRow<Value>(rows: ReadonlyMap<string, Value>, key: string, value: Value | undefined): Map<string, Value> {
  const next = new Map(rows)
  if (value === undefined) next.delete(key)
  else next.set(key, value)
  return next
}
