import { parentPort, workerData } from 'node:worker_threads'
import { type AgreementInput, computeAgreement } from './agreement.ts'

/** The thread that computes the agreement of one batch, and ends. */
parentPort?.postMessage(computeAgreement(workerData as AgreementInput))
