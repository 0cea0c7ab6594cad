import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { SetupGuide } from '#features/catalog/contract.ts'
import { drawingOf, stepPieces } from '#features/catalog/setup-rules.ts'
import type { SetupValues } from './setup-values.ts'
import { StepPicture } from './step-picture.tsx'

interface Props {
  step: SetupGuide['steps'][number]
  index: number
  values: SetupValues
  /** What is shown below the text. */
  children?: ReactNode
}

/** A numbered step with its picture: a drawing, or an image that the operator uploaded. */
export function GuideStep({ step: { title, text, picture }, index, values, children }: Props) {
  const drawing = drawingOf(picture)
  return (
    <li>
      <div className="guide-picture">
        {drawing ? (
          <StepPicture drawing={drawing} index={index} values={values} />
        ) : (
          <img src={picture} alt="" loading="lazy" />
        )}
      </div>
      <div className="guide-text">
        <p className="guide-number">Step {index + 1}</p>
        <h3>{stepPieces(title, { ...values, code: values.code || 'our code' }).map(({ text: piece }) => piece)}</h3>
        <p>
          {stepPieces(text, { ...values }).map((piece, at) => {
            const key = `${at} ${piece.text}`
            if (piece.is === 'text') return <span key={key}>{piece.text}</span>
            if (piece.is === 'value')
              return (
                <b key={key} className="num">
                  {piece.text}
                </b>
              )
            return (
              <span key={key}>
                that{' '}
                <Link to="/contact" className="link">
                  support
                </Link>{' '}
                gives you
              </span>
            )
          })}
        </p>
        {children}
      </div>
    </li>
  )
}
