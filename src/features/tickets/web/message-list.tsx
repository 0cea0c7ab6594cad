import type { ReactNode } from 'react'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'

export interface ShownMessage {
  id: number
  /** Who wrote the message: the reader's side, the other side, or an administrator as a note for administrators. */
  side: 'own' | 'other' | 'note'
  author: string
  /** How the message arrived, if not through the site. */
  how?: string | undefined
  body: string
  refused: readonly string[]
  createdAt: string
  /** Images shown below the text. */
  images?: ReactNode
}

/** The messages of a ticket, oldest first. */
export function MessageList({ messages }: { messages: readonly ShownMessage[] }) {
  return (
    <ol className="thread" aria-label="Messages">
      {messages.map(({ id, side, author, how, body, refused, createdAt, images }) => (
        <li key={id} className="thread-message" data-side={side}>
          <p className="thread-head">
            <b>{author}</b>
            {how && <span>{how}</span>}
            <RelativeTime value={createdAt} />
          </p>
          {body ? <p className="thread-body">{body}</p> : <p className="thread-body text-fg-2">No description</p>}
          {images}
          {refused.length > 0 && (
            <ul className="thread-refused">
              {refused.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  )
}
