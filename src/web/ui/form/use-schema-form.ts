import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState, useSyncExternalStore } from 'react'
import { type DefaultValues, type FieldError, type FieldValues, get, type Path, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { ApiError, messageOf } from '#kit/caller.ts'
import type { DraftOptions } from './form-drafts.ts'
import { useFormDraft } from './use-form-draft.ts'

interface Options<In extends FieldValues, Out> {
  schema: z.core.$ZodType<Out, In>
  /** Prefix of the ids of the controls. */
  id: string
  /** All fields in the order of the page, which is the order of the error summary. */
  fields: readonly Path<In>[]
  /** Omit text fields to keep text that was typed or autofilled before hydration. */
  defaultValues?: DefaultValues<In>
  /** Stores these fields in this tab until the form is sent, so that they survive a login. */
  draft?: DraftOptions<Path<In>> | undefined
  /** Called when the request fails, for a toast. The form itself shows the message. */
  onFailure?: (message: string, error: unknown) => void
}

/**
 * A form that is validated with the schema of a contract. It shows no errors before the first submit. The ErrorSummary must be in the form, since it moves the
 * focus. When the server rejects the values, they are kept and the issues are shown at their fields.
 */
export function useSchemaForm<In extends FieldValues, Out>({
  schema,
  id,
  fields,
  defaultValues,
  draft,
  onFailure,
}: Options<In, Out>) {
  const form = useForm<In, unknown, Out>({
    resolver: standardSchemaResolver(schema),
    defaultValues,
    // The ErrorSummary moves the focus.
    shouldFocusError: false,
  })
  const { register, handleSubmit, reset, setError, setValue, watch, formState } = form
  const kept = useFormDraft(draft, form)
  const { errors, isSubmitting, submitCount } = formState
  const [failed, setFailed] = useState<{ message: string; code?: string | undefined; isAtFields: boolean }>()
  const ready = useSyncExternalStore(subscribeNever, inBrowser, onServer)
  const messageAt = (name: string) => (get(errors, name) as FieldError | undefined)?.message
  // Several fields may have the same message: the summary shows it once and links to the first of them.
  const seenMessages = new Set<string>()
  const problems = fields
    .flatMap((name) => errorsAt(get(errors, name), `${id}-${name}`))
    .filter(({ message }) => !seenMessages.has(message) && seenMessages.add(message))

  const onSubmit = (send: (values: Out) => Promise<unknown>) =>
    handleSubmit(async (values) => {
      setFailed(undefined)
      try {
        await send(values)
        kept.discard()
      } catch (error) {
        const message = messageOf(error)
        const issues = error instanceof ApiError ? error.issues : []
        const ours = issues.filter(({ path }) => fields.some((field) => path === field || path.startsWith(`${field}.`)))
        for (const issue of ours) setError(issue.path as Path<In>, { type: 'server', message: issue.message })
        kept.keep()
        const isAtFields = ours.length > 0 && ours.length === issues.length
        setFailed({ message, code: error instanceof ApiError ? error.code : undefined, isAtFields })
        onFailure?.(message, error)
      }
    })

  return {
    register,
    setValue,
    watch,
    /** Options of `setValue` for controls that are not registered: they mark the field as changed and, after the first submit, validate it. */
    asTyped: { shouldDirty: true, shouldValidate: submitCount > 0 },
    /** Clears all errors and resets to the given or initial values. */
    reset: (values?: In) => {
      setFailed(undefined)
      reset(values)
    },
    /** Whether any value was changed. A getter, so that only forms that use it re-render. */
    get isDirty() {
      return formState.isDirty
    },
    onSubmit,
    /** For `<Field {...field('email')}>`. */
    field: (name: Path<In>) => ({ id: `${id}-${name}`, error: messageAt(name) }),
    /** The message of an item within a field: `messageAt('features.2')`. */
    messageAt,
    /** The values stored in this tab, see the option `draft`. `restore` returns whether there were any. */
    draft: kept,
    /** For ErrorSummary, with `submitCount`. */
    problems,
    submitCount,
    pending: isSubmitting,
    /** The props of the submit button: `{...form.button}`. Disabled until hydration, so that the browser does not submit the form natively. */
    button: { type: 'submit' as const, disabled: !ready, pending: isSubmitting, className: 'disabled:opacity-100' },
    /** The error message to show beside the button. Undefined again once every field that the server rejected is corrected. */
    failure: failed?.isAtFields && problems.length === 0 ? undefined : failed?.message,
    /** The stable error code of that failure. */
    failureCode: failed?.code,
    /** Removes the failure message. */
    forget: () => setFailed(undefined),
  }
}

/** Returns the messages of a field: its own, or those of its items. */
function errorsAt(error: unknown, id: string): { id: string; message: string }[] {
  if (typeof error !== 'object' || error === null) return []
  const { message } = error as { message?: unknown }
  if (typeof message === 'string') return [{ id, message }]
  return Object.entries(error).flatMap(([place, entry]) => (place === 'ref' ? [] : errorsAt(entry, `${id}.${place}`)))
}

const subscribeNever = () => () => undefined
const inBrowser = () => true
const onServer = () => false
