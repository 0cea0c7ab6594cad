import type { ReactNode } from 'react'
import { Spinner } from '../spinner.tsx'

interface Props {
  /** How much of the file was sent, from 0 to 100. */
  sentPercent: number
  fileName: string
  /** What the server does with the file once it has it. */
  children: ReactNode
  /** The accessible name of the bar. */
  label: string
}

/** Shown while a file is sent, with the percentage, and while the server works on it, without one. */
export function UploadProgress({ sentPercent, fileName, children, label }: Props) {
  const isSent = sentPercent >= 100
  return (
    <div className="grid justify-items-center gap-3">
      <Spinner />
      <p role="status">
        {isSent ? (
          children
        ) : (
          <>
            Uploading <b>{fileName}</b>…
          </>
        )}
      </p>
      {isSent ? (
        <progress aria-label={label} />
      ) : (
        <p className="flex items-center gap-3">
          <progress aria-label="Uploaded" value={sentPercent} max={100} />
          <span aria-hidden="true">{sentPercent} %</span>
        </p>
      )}
    </div>
  )
}
