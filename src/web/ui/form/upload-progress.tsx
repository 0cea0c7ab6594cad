import type { ReactNode } from 'react'
import { Spinner } from '../spinner.tsx'

interface Props {
  /** How much of the file was sent, from 0 to 100. */
  sentPercent: number
  fileName: string
  /** Shown once the whole file is sent: what the server does with it. */
  children: ReactNode
  /** The accessible name of the bar. */
  label: string
}

/** Shown with a percentage while a file is sent, and without one while the server processes the file. */
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
