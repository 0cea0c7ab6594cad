import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

interface Props extends Omit<ComponentProps<'section'>, 'title'> {
  /** The heading. Without a title and an aside there is no head row. */
  title?: ReactNode
  titleId?: string
  /** Beside the heading: a badge or a small button. */
  aside?: ReactNode
  footer?: ReactNode
  /** Adds no padding, for content with its own padding (tables, lists). */
  flush?: boolean
  as?: 'section' | 'div' | 'article' | 'li'
  heading?: 'h2' | 'h3'
}

export function Card({
  title,
  titleId,
  aside,
  footer,
  flush,
  as: Element = 'section',
  heading: Heading = 'h2',
  className,
  children,
  ...rest
}: Props) {
  return (
    <Element
      {...(rest as object)}
      className={clsx('card', className)}
      aria-labelledby={titleId ?? rest['aria-labelledby']}
    >
      {(title || aside) && (
        <div className="card-head">
          {title && (
            <Heading id={titleId} className="card-title">
              {title}
            </Heading>
          )}
          {aside}
        </div>
      )}
      {flush ? children : <div className="card-body">{children}</div>}
      {footer && <div className="card-foot">{footer}</div>}
    </Element>
  )
}
