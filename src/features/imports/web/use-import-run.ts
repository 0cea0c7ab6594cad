import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { refresh, useSend } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import {
  applyImport,
  emailImport,
  getImport,
  type ImportRun,
  listImportRows,
  listImports,
  undoImport,
} from '../admin-contract.ts'

/** Applies or undoes a run batch by batch. If the user leaves the page, the work stops after the current batch and can be continued later. */
export function useImportRun(runId: number) {
  const client = useQueryClient()
  const apply = useSend(applyImport)
  const undo = useSend(undoImport)
  const emails = useSend(emailImport, [getImport, listImports])
  const [progress, setProgress] = useState<ImportRun>()
  const [failure, setFailure] = useState<string>()
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])

  const repeat = async (send: typeof apply | typeof undo, isAtWork: (run: ImportRun) => boolean, done: string) => {
    setFailure(undefined)
    try {
      let run: ImportRun
      do {
        run = await send.mutateAsync({ params: { runId } })
        if (isShown.current) setProgress(run)
      } while (isShown.current && isAtWork(run))
      announce(done)
    } catch (error) {
      setFailure(messageOf(error))
    }
    await refresh(client, [getImport.id, listImports.id, listImportRows.id])
    setProgress(undefined)
  }
  return {
    progress,
    failure: failure ?? (emails.error ? messageOf(emails.error) : undefined),
    isPending: apply.isPending || undo.isPending || emails.isPending || progress !== undefined,
    apply: () => repeat(apply, ({ state }) => state === 'applying', 'The import is applied.'),
    email: () => emails.mutate({ params: { runId } }),
    undo: () => repeat(undo, ({ state }) => state === 'undoing', 'The import is undone.'),
  }
}
