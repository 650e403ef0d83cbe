import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { TEXT_MAX } from '#contract/product.ts'
import { text } from '#contract/shapes.ts'

/** The schema of the form to submit work. */
export default z.object({ submissoin_data: text(TEXT_MAX, t`Enter your work`) })
