import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState, useSyncExternalStore } from 'react'
import { type DefaultValues, type FieldError, type FieldValues, get, type Path, useForm } from 'react-hook-form'
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
export function useSchemaForm<In extends FieldValues, Out>({
  schema,
  id,
  fields,
  defaultValues,
  onFailure,
}: Options<In, Out>) {
  const { register, handleSubmit, reset, setError, setValue, watch, formState } = useForm<In, unknown, Out>({
    resolver: standardSchemaResolver(schema),
    defaultValues,
    // The ErrorSummary moves the focus.
    shouldFocusError: false,
  })
  const { errors, isSubmitting, submitCount } = formState
  const [failed, setFailed] = useState<{ message: string; code?: string | undefined }>()
  const ready = useSyncExternalStore(never, yes, no)
  const messageAt = (name: string) => (get(errors, name) as FieldError | undefined)?.message
  // Fields that are missing together say the same sentence: the summary says it once and leads to the first of them.
  const said = new Set<string>()
  const problems = fields
    .flatMap((name) => problemsAt(get(errors, name), `${id}-${name}`))
    .filter(({ message }) => !said.has(message) && said.add(message))

  const onSubmit = (send: (values: Out) => Promise<unknown>) =>
    handleSubmit(async (values) => {
      setFailed(undefined)
      try {
        await send(values)
      } catch (error) {
        const message = messageOf(error)
        for (const issue of error instanceof ApiError ? error.issues : []) {
          const isOurs = fields.some((field) => issue.path === field || issue.path.startsWith(`${field}.`))
          if (isOurs) setError(issue.path as Path<In>, { type: 'server', message: issue.message })
        }
        setFailed({ message, code: error instanceof ApiError ? error.code : undefined })
        onFailure?.(message, error)
      }
    })

  return {
    register,
    setValue,
    watch,
    /** For `setValue` where a control is not registered: it counts as typed, and is judged again once it has been. */
    asTyped: { shouldDirty: true, shouldValidate: submitCount > 0 },
    /** After a success: empty, and nothing red. Given values are what it starts with again. */
    reset: (values?: In) => {
      setFailed(undefined)
      reset(values)
    },
    /** Whether anything was changed; a getter, so that only forms that ask are rendered for it. */
    get isDirty() {
      return formState.isDirty
    },
    onSubmit,
    /** For `<Field {...field('email')}>`. */
    field: (name: Path<In>) => ({ id: `${id}-${name}`, error: messageAt(name) }),
    /** The message at a place within a field: `messageAt('features.2')`. */
    messageAt,
    /** For ErrorSummary, with `submitCount`. */
    problems,
    submitCount,
    pending: isSubmitting,
    /** For the button: `{...form.button}`. Until the script is there it is disabled, so that nothing is sent past the script. */
    button: { type: 'submit' as const, disabled: !ready, pending: isSubmitting, className: 'disabled:opacity-100' },
    /** The sentence to show beside the button. */
    failure: failed?.message,
    /** The stable code of that refusal. */
    failureCode: failed?.code,
    /** Takes that sentence away: what it was about is no longer so. */
    forget: () => setFailed(undefined),
  }
}

/** The messages at a field: its own, or those of what it consists of. */
function problemsAt(error: unknown, id: string): { id: string; message: string }[] {
  if (typeof error !== 'object' || error === null) return []
  const { message } = error as { message?: unknown }
  if (typeof message === 'string') return [{ id, message }]
  return Object.entries(error).flatMap(([place, entry]) => (place === 'ref' ? [] : problemsAt(entry, `${id}.${place}`)))
}

const never = () => () => undefined
const yes = () => true
const no = () => false
