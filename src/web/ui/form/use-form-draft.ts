import { useEffect, useRef } from 'react'
import { type FieldValues, get, type Path, type PathValue, type UseFormReturn } from 'react-hook-form'
import { type DraftOptions, readDraft, removeDraft, writeDraft } from './form-drafts.ts'

type Form<In extends FieldValues, Out> = Pick<
  UseFormReturn<In, unknown, Out>,
  'formState' | 'getValues' | 'setValue' | 'subscribe'
>

/** Stores the typed values of a form in sessionStorage and restores them after hydration, even if the user had to log in in between. */
export function useFormDraft<In extends FieldValues, Out>(
  draft: DraftOptions<Path<In>> | undefined,
  { formState, getValues, setValue, subscribe }: Form<In, Out>,
) {
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  })

  const restore = (): boolean => {
    const values = draft && readDraft(draft)
    for (const [name, value] of Object.entries(values ?? {}))
      setValue(name as Path<In>, value as PathValue<In, Path<In>>, { shouldDirty: true })
    return values !== undefined
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft is read once for each form and record
  useEffect(() => {
    if (!draft) return
    // Text typed before hydration caused no event, so it is stored here.
    const isTyped = (name: Path<In>) => (getValues(name) ?? '') !== (get(formState.defaultValues, name) ?? '')
    if (!restore() && draft.fields.some(isTyped)) writeDraft(draft, getValues())
    return subscribe({
      formState: { values: true },
      // Only changes by the user have a `type`; values that the page sets do not.
      callback: ({ type, values }) => {
        if (type && latest.current) writeDraft(latest.current, values)
      },
    })
  }, [draft?.key])

  return {
    restore,
    /** Stores the current values, for fields that the page sets itself. */
    keep: () => draft && writeDraft(draft, getValues()),
    discard: () => draft && removeDraft(draft.key),
  }
}
