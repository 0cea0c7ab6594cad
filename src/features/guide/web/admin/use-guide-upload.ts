import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { callOf, refresh } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { finishGuideUpload, type GuideSource, listGuideSources, sendGuidePart } from '../../admin-contract.ts'
import { maxUploadParts, uploadPartBytes } from '../../source-rules.ts'

/** Uploads a file in parts. During the upload, `progress` has the number of bytes `sent` and in `total`. `onDone` is called when the upload is finished. */
export function useGuideUpload(source: GuideSource, onDone: () => void) {
  const client = useQueryClient()
  const stop = useRef<AbortController>(undefined)
  const [progress, setProgress] = useState<{ sent: number; total: number }>()
  const [refusal, setRefusal] = useState<string>()
  useEffect(() => () => stop.current?.abort(), [])

  const send = async (file: File) => {
    setRefusal(undefined)
    const parts = Math.ceil(file.size / uploadPartBytes)
    if (parts === 0) return setRefusal('The file is empty.')
    if (parts > maxUploadParts)
      return setRefusal('The file is too large. Please use one of at most 600 MB, for example compressed with gzip.')
    stop.current = new AbortController()
    const { signal } = stop.current
    const [params, call] = [{ sourceId: source.id, uploadId: crypto.randomUUID() }, callOf(client)]
    try {
      for (let part = 0; part < parts; part++) {
        setProgress({ sent: part * uploadPartBytes, total: file.size })
        const slice = file.slice(part * uploadPartBytes, (part + 1) * uploadPartBytes)
        const body = new Uint8Array(await slice.arrayBuffer())
        await call(sendGuidePart, { params: { ...params, part }, body }, signal)
      }
      await call(finishGuideUpload, { params, body: { parts } }, signal)
      await refresh(client, [listGuideSources.id])
      announce('The file has been uploaded.')
      onDone()
    } catch (error) {
      if (!signal.aborted) setRefusal(messageOf(error))
    } finally {
      setProgress(undefined)
    }
  }
  return { send, progress, refusal }
}
