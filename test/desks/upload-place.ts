import type { UploadPlace } from '../../electron/dialects/models.ts'

/** A package that is made, which lies in no work area. */
export const uploadPlace = (id: string): UploadPlace => ({ id, workArea: null })
