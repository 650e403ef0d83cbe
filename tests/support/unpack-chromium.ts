import { inflate } from '@sparticuz/chromium'

// Unpacks files of the package, which are named by the arguments, into the temporary folder of this process.
for (const file of process.argv.slice(2)) await inflate(file)
