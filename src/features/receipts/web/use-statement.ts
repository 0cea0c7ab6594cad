import { useState } from 'react'
import { getPayment, listPayments } from '#features/payments/admin-contract.ts'
import { ApiError, messageOf } from '#kit/caller.ts'
import { announce } from '#web/ui/announce.ts'
import { useUpload } from '#web/ui/form/use-upload.ts'
import {
  bookStatement,
  type ColumnMapping,
  listStatements,
  previewStatement,
  type StatementFile,
  type StatementPreview,
} from '../admin-contract.ts'
import { maxStatementBytes } from '../rules.ts'

interface Chosen {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}
export type UnknownTable = { columns: string[]; sample: string[][] }
export type StatementStep =
  | { kind: 'choose' }
  | { kind: 'columns'; table: UnknownTable; mapping: ColumnMapping | undefined }
  | { kind: 'preview'; preview: StatementPreview }

/** Controls the steps of an upload: choose a file, choose its columns if its format is unknown, check the preview, record the payments. */
export function useStatement(onBooked: (file: StatementFile, preview: StatementPreview) => void) {
  const [file, setFile] = useState<Chosen>()
  const [step, setStep] = useState<StatementStep>({ kind: 'choose' })
  const [refusal, setRefusal] = useState<string>()
  const read = useUpload(previewStatement)
  const record = useUpload(bookStatement, [listPayments, getPayment, listStatements])

  const preview = async (chosen: Chosen, mapping?: ColumnMapping) => {
    setRefusal(undefined)
    try {
      const answer = await read.mutateAsync({ query: queryOf(chosen, mapping), body: chosen.bytes })
      if (answer.state === 'columns') {
        setStep({ kind: 'columns', table: answer, mapping })
        if (mapping) setRefusal('The file has no such columns. Please choose them again.')
        return
      }
      setStep({ kind: 'preview', preview: answer })
      announce(`${chosen.name} has been read.`)
    } catch (error) {
      setRefusal(messageOf(error))
    }
  }
  const choose = async (picked: File) => {
    if (picked.size > maxStatementBytes) {
      setRefusal(
        'The file is too large. Please use a file of at most 5 MB, for example one that covers a shorter period.',
      )
      return
    }
    const chosen = { name: picked.name.slice(0, 400) || 'statement', bytes: new Uint8Array(await picked.arrayBuffer()) }
    setFile(chosen)
    await preview(chosen)
  }
  const book = async (shown: StatementPreview, skipUnreadable: boolean) => {
    if (!file || record.isPending) return
    setRefusal(undefined)
    try {
      const query = {
        ...queryOf(file, shown.mapping ?? undefined),
        expectedNew: shown.counts.exact + shown.counts.check,
        ...(skipUnreadable && { skipUnreadable: 'true' as const }),
      }
      onBooked(await record.mutateAsync({ query, body: file.bytes }), shown)
    } catch (error) {
      setRefusal(messageOf(error))
      if (error instanceof ApiError && error.code === 'preview_changed') await preview(file, shown.mapping ?? undefined)
    }
  }
  return {
    fileName: file?.name ?? '',
    step,
    refusal,
    isReading: read.isPending,
    sentPercent: read.sentPercent,
    isBooking: record.isPending,
    choose,
    preview: (mapping: ColumnMapping) => file && void preview(file, mapping),
    book,
    /** `restart` returns to the first step, `changeColumns` to the columns of a table. */
    restart: () => {
      setRefusal(undefined)
      setStep({ kind: 'choose' })
    },
    changeColumns: ({ columns, sample, mapping }: StatementPreview) =>
      setStep({ kind: 'columns', table: { columns, sample }, mapping: mapping ?? undefined }),
  }
}

const queryOf = ({ name }: Chosen, mapping: ColumnMapping | undefined) => ({
  name,
  ...(mapping && { mapping: JSON.stringify(mapping) }),
})
