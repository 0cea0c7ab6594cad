import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import type { Output } from '#kit/endpoint.ts'
import { announce } from '#web/ui/announce.ts'
import { useUpload } from '#web/ui/form/use-upload.ts'
import { createImport, type ImportMapping, type InvoiceMapping, listImports } from '../admin-contract.ts'
import { type ImportKind, maxImportBytes } from '../rules.ts'

export type UnknownColumns = Extract<Output<typeof createImport>, { state: 'columns' }>
interface Chosen {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

/** Uploads a file of customers or invoices. Returns `table` if the columns must be assigned first. `onChecked` gets the id of the new run. */
export function useImportUpload(kind: ImportKind, onChecked: (runId: number) => void) {
  const [file, setFile] = useState<Chosen>()
  const [table, setTable] = useState<UnknownColumns>()
  const [refusal, setRefusal] = useState<string>()
  const send = useUpload(createImport, [listImports])

  const upload = async ({ name, bytes }: Chosen, mapping?: ImportMapping | InvoiceMapping) => {
    setRefusal(undefined)
    try {
      const query = { name, kind, ...(mapping && { mapping: JSON.stringify(mapping) }) }
      const answer = await send.mutateAsync({ query, body: bytes })
      if (answer.state === 'columns') return setTable(answer)
      setTable(undefined)
      announce(`${name} is checked.`)
      onChecked(answer.run.id)
    } catch (error) {
      setRefusal(messageOf(error))
    }
  }
  return {
    fileName: file?.name ?? '',
    table,
    refusal,
    isReading: send.isPending,
    sentPercent: send.sentPercent,
    choose: async (picked: File) => {
      if (picked.size > maxImportBytes) return setRefusal('The file is too large. Please use a file of at most 24 MB.')
      const chosen = {
        name: picked.name.slice(0, 400) || kind,
        bytes: new Uint8Array(await picked.arrayBuffer()),
      }
      setFile(chosen)
      await upload(chosen)
    },
    nameColumns: (mapping: ImportMapping | InvoiceMapping) => file && void upload(file, mapping),
    restart: () => {
      setRefusal(undefined)
      setTable(undefined)
    },
  }
}
