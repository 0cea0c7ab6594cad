/** The value of a control in the server-rendered page, which the user or the browser may have filled in before hydration. */
export const valueBeforeHydration = (id: string): string | undefined => {
  const control = document.getElementById(id)
  return control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? control.value : undefined
}
