import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { listPlans } from '#features/catalog/contract.ts'
import { type BrandSettings, getSite } from '#features/settings/contract.ts'
import { ApiError, messageOf } from '#kit/caller.ts'
import { callOf, query, useSend } from '#web/data.ts'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import {
  type BrandStudioState,
  brandForm,
  discardBrandDraft,
  getBrand,
  publishBrand,
  restoreBrand,
  saveBrandDraft,
} from '../admin-contract.ts'

const fields = ['name', 'logo', 'icon', 'mascot', 'hue', 'headline', 'tagline', 'plans', 'mascots'] as const
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Returns the form of the brand. It starts with the draft, or else with the public brand. Saving and publishing keep the typed values when they fail. */
export function useBrandForm(stored: BrandStudioState) {
  const client = useQueryClient()
  const [shown, setShown] = useState(stored)
  const send = {
    save: useSend(saveBrandDraft),
    publish: useSend(publishBrand, [getSite, listPlans]),
    discard: useSend(discardBrandDraft),
    restore: useSend(restoreBrand, [getSite, listPlans]),
  }
  const form = useSchemaForm<z.input<typeof brandForm>, BrandSettings>({
    schema: brandForm,
    id: 'brand',
    fields,
    defaultValues: shown.draft ?? shown.live,
    onFailure: failed,
  })
  const values = form.watch() as BrandSettings
  const show = (now: BrandStudioState) => {
    setShown(now)
    form.reset(now.draft ?? now.live)
    client.setQueryData(query(getBrand).queryKey, now)
  }
  const submit = (call: 'save' | 'publish', title: string, description: string) =>
    form.onSubmit(async (value) => {
      try {
        show(await send[call].mutateAsync({ body: { version: shown.version, value } }))
      } catch (error) {
        // The request has the form's fields under `value`, so the paths of its issues start with `value.`.
        if (error instanceof ApiError) for (const issue of error.issues) issue.path = issue.path.replace(/^value\./, '')
        throw error
      }
      toast({ title, description })
    })
  const run = async (call: () => Promise<BrandStudioState>, title: string, description: string) => {
    try {
      show(await call())
      toast({ title, description })
    } catch (error) {
      failed(messageOf(error))
    }
  }
  return {
    form,
    values,
    versions: stored.versions,
    /** How many fields differ from the public brand. */
    changes: fields.filter((field) => !same(values[field], shown.live[field])).length,
    hasDraft: shown.draft !== null,
    save: submit('save', 'Draft saved', 'Customers do not see it until you publish.'),
    publish: submit('publish', 'Brand published', 'The change is live.'),
    discard: () =>
      shown.draft === null
        ? form.reset(shown.live)
        : void run(() => send.discard.mutateAsync({} as never), 'Draft discarded', 'The form shows the public brand.'),
    restore: (versionId: number) =>
      run(() => send.restore.mutateAsync({ params: { versionId } }), 'Version restored', 'The change is live.'),
    isRestoring: send.restore.isPending,
    showCurrent: async () => show(await callOf(client)(getBrand, {})),
  }
}
export type BrandForm = ReturnType<typeof useBrandForm>

const failed = (message: string) => toast({ title: 'Brand not saved', description: message, variant: 'destructive' })
