import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState, useSyncExternalStore } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { ApiError, messageOf } from '#kit/caller.ts'

interface Options<In extends FieldValues, Out> {
  schema: z.core.$ZodType<Out, In>
  /** Prefix of the controls' ids. */
  id: string
  /** Every field, in the order of the page: the order of the error summary. */
  fields: readonly Path<In>[]
  /** Leave text fields out: what was typed or filled in before the script arrived then stays. */
  defaultValues?: DefaultValues<In>
  /** The server or the line refused; the form shows the sentence itself, this is for the toast. */
  onFailure?: (message: string, error: unknown) => void
}

/**
 * A form over a contract's schema: nothing is red before the first submit, problems go to the ErrorSummary (which
 * has to stand in the form, it moves the focus), a refusal of the server keeps every value and puts its issues on their fields.
 */
export function useSchemaForm<In extends FieldValues, Out>({ schema, id, fields, defaultValues, onFailure }: Options<In, Out>) {
  const { register, handleSubmit, reset, setError, setValue, watch, formState } = useForm<In, unknown, Out>({
    resolver: standardSchemaResolver(schema),
    defaultValues,
    // The ErrorSummary moves the focus.
    shouldFocusError: false,
  })
  const { errors, isSubmitting, submitCount } = formState
  const [failure, setFailure] = useState<string>()
  const ready = useSyncExternalStore(never, yes, no)
  const messageAt = (name: Path<In>) => errors[name]?.message as string | undefined
  const problems = fields.flatMap((name) => {
    const message = messageAt(name)
    return message ? [{ id: `${id}-${name}`, message }] : []
  })

  const onSubmit = (send: (values: Out) => Promise<unknown>) =>
    handleSubmit(async (values) => {
      setFailure(undefined)
      try {
        await send(values)
      } catch (error) {
        const message = messageOf(error)
        for (const issue of error instanceof ApiError ? error.issues : []) {
          const name = fields.find((field) => field === issue.path)
          if (name) setError(name, { type: 'server', message: issue.message })
        }
        setFailure(message)
        onFailure?.(message, error)
      }
    })

  return {
    register,
    setValue,
    watch,
    /** After a success: empty, and nothing red. */
    reset,
    onSubmit,
    /** For `<Field {...field('email')}>`. */
    field: (name: Path<In>) => ({ id: `${id}-${name}`, error: messageAt(name) }),
    /** For ErrorSummary, with `submitCount`. */
    problems,
    submitCount,
    pending: isSubmitting,
    /** For the button: `{...form.button}`. Until the script is there it is disabled, so that nothing is sent past the script. */
    button: { type: 'submit' as const, disabled: !ready, pending: isSubmitting, className: 'disabled:opacity-100' },
    /** The sentence to show beside the button. */
    failure,
  }
}

const never = () => () => undefined
const yes = () => true
const no = () => false
