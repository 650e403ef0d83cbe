import { banglaDigits } from './digits.ts'

/**
 * The messages of schemas, and of the validator where a schema has none (server/http/validation-messages.ts), in Bangla.
 * Schemas carry their messages in English, so the English text is the key, with `{}` for each number.
 */
const TEXTS: Record<string, string> = {
  "Account holder's name is required": 'অ্যাকাউন্টধারীর নাম দিন',
  'Account number is required': 'অ্যাকাউন্ট নম্বর দিন',
  'Add at least one column': 'কমপক্ষে একটি কলাম যোগ করুন',
  'Add at least one question': 'কমপক্ষে একটি প্রশ্ন যোগ করুন',
  'A submission has two decisions': 'একটি কাজের দুটি সিদ্ধান্ত দেওয়া হয়েছে',
  'Answer at least one question': 'অন্তত একটি প্রশ্নের উত্তর দিন',
  'At least {}': 'কমপক্ষে {}',
  'At least {} characters': 'কমপক্ষে {}টি অক্ষর',
  'At most three decimal places': 'দশমিকের পর সর্বোচ্চ তিন ঘর',
  'At most {}': 'সর্বোচ্চ {}',
  'At most {} characters': 'সর্বোচ্চ {}টি অক্ষর',
  'At most {} columns': 'সর্বোচ্চ {}টি কলাম',
  'At most {} qualifications': 'সর্বোচ্চ {}টি যোগ্যতা',
  'Each qualification once': 'প্রতিটি যোগ্যতা একবার',
  'Describe what it confirms, and how to get it': 'এটি কী নিশ্চিত করে এবং কীভাবে পাওয়া যায় লিখুন',
  'Enter a reason': 'কারণ লিখুন',
  'Enter the reason, which Admins can read': 'কারণ লিখুন, অ্যাডমিনরা তা পড়তে পারেন',
  'This link is not complete': 'এই লিংক সম্পূর্ণ নয়',
  'At most {} examples': 'সর্বোচ্চ {}টি উদাহরণ',
  'At most {} networks': 'সর্বোচ্চ {}টি নেটওয়ার্ক',
  'At most {} options': 'সর্বোচ্চ {}টি বিকল্প',
  'At most {} packages': 'সর্বোচ্চ {}টি প্যাকেজ',
  'At most {} pictures': 'সর্বোচ্চ {}টি ছবি',
  'At most {} questions': 'সর্বোচ্চ {}টি প্রশ্ন',
  'At most {} variables': 'সর্বোচ্চ {}টি ভেরিয়েবল',
  'At most {} words': 'সর্বোচ্চ {}টি শব্দ',
  'Bank is required': 'ব্যাংকের নাম দিন',
  'Begin with a letter; use letters, digits and _, at most {}':
    'অক্ষর দিয়ে শুরু করুন; শুধু ইংরেজি অক্ষর, অঙ্ক ও _ ব্যবহার করুন, সর্বোচ্চ {}টি',
  "Can't withdraw more than available coins.": 'আপনার কাছে যত কয়েন আছে, তার বেশি তোলা যায় না।',
  'Choose a CSV file': 'একটি CSV ফাইল বেছে নিন',
  'Choose a file': 'একটি ফাইল বেছে নিন',
  'Choose a list of options': 'বিকল্পের একটি তালিকা বেছে নিন',
  'Choose an option': 'একটি বিকল্প বেছে নিন',
  'Choose at least one event': 'কমপক্ষে একটি ইভেন্ট বেছে নিন',
  'Choose at least one scope': 'কমপক্ষে একটি অনুমতি বেছে নিন',
  'Choose at least {}': 'কমপক্ষে {}টি বেছে নিন',
  'Choose at most {}': 'সর্বোচ্চ {}টি বেছে নিন',
  'Choose each event once': 'প্রতিটি ইভেন্ট একবার বেছে নিন',
  'Choose each option at most once': 'প্রতিটি বিকল্প সর্বোচ্চ একবার বেছে নিন',
  'Choose each scope once': 'প্রতিটি অনুমতি একবার বেছে নিন',
  'Choose one of the options': 'বিকল্পগুলোর একটি বেছে নিন',
  'Choose the column of the amount': 'টাকার কলামটি বেছে নিন',
  'Choose the column of the reference': 'রেফারেন্সের কলামটি বেছে নিন',
  'Code is required': 'কোড দিন',
  'Contains a value in double braces that does not exist': 'জোড়া বন্ধনীতে এমন একটি মান আছে, যা নেই',
  'Contains characters that cannot be printed': 'এমন অক্ষর আছে যা ছাপা যায় না',
  'Contains characters that cannot be stored': 'এমন অক্ষর আছে যা সংরক্ষণ করা যায় না',
  'Email is required': 'ইমেইল দিন',
  'Enter a date as yyyy-mm-dd': 'তারিখ দিন: বছর-মাস-দিন, যেমন 2026-12-31',
  'Enter a link': 'একটি লিংক দিন',
  'Enter a link that starts with https:// or http://': 'https:// বা http:// দিয়ে শুরু হওয়া একটি লিংক দিন',
  'Enter a name': 'একটি নাম দিন',
  'Enter a note for the audit log': 'অডিট লগের জন্য একটি নোট লিখুন',
  'Enter a number': 'একটি সংখ্যা দিন',
  'Enter a pattern': 'একটি প্যাটার্ন দিন',
  'Enter a rate from {} to {}': '{} থেকে {} পর্যন্ত একটি হার দিন',
  'Enter a reason for the audit log': 'অডিট লগের জন্য একটি কারণ লিখুন',
  'Enter a reason, so that the worker knows what to do next': 'কারণ লিখুন, যাতে কর্মী বুঝতে পারেন এরপর কী করতে হবে',
  'Enter a reason, so that the worker knows what to improve': 'কারণ লিখুন, যাতে কর্মী বুঝতে পারেন কী উন্নত করতে হবে',
  'Enter a URL': 'একটি URL দিন',
  'Enter a URL that starts with http:// or https://': 'http:// বা https:// দিয়ে শুরু হয় এমন URL দিন',
  'Enter a URL on the public internet': 'সবার জন্য খোলা ইন্টারনেটের একটি URL দিন',
  'Enter a URL that starts with https://': 'https:// দিয়ে শুরু হয় এমন URL দিন',
  'Enter a URL that starts with https://, without a password or a fragment':
    'https:// দিয়ে শুরু হয় এমন URL দিন, পাসওয়ার্ড বা # অংশ ছাড়া',
  'Enter {} hexadecimal digits': '{}টি হেক্সাডেসিমেল অঙ্ক দিন',
  'Enter a whole number': 'একটি পূর্ণসংখ্যা দিন',
  'Enter a whole number from {} to {}': '{} থেকে {} পর্যন্ত একটি পূর্ণসংখ্যা দিন',
  'Enter a whole number of coins': 'কয়েনের সংখ্যা পূর্ণসংখ্যায় দিন',
  'Enter a word': 'একটি শব্দ লিখুন',
  'Enter an amount above {}': '{}-এর চেয়ে বড় পরিমাণ দিন',
  'Enter an IP address or a network such as 203.0.113.0/24':
    'একটি IP ঠিকানা বা নেটওয়ার্ক দিন, যেমন 203.0.113.0/24',
  'Enter an option': 'একটি বিকল্প দিন',
  'Enter at least one package': 'কমপক্ষে একটি প্যাকেজ দিন',
  'Enter at least two options': 'কমপক্ষে দুটি বিকল্প দিন',
  'Enter bank, branch, account name and account number, {} to {} characters':
    'ব্যাংক, শাখা, অ্যাকাউন্টের নাম ও নম্বর দিন, {} থেকে {}টি অক্ষর',
  'Enter each option once': 'প্রতিটি বিকল্প একবার দিন',
  'Enter text': 'লেখা দিন',
  'Enter text on one line': 'এক লাইনে লিখুন',
  'Enter the 11-digit mobile number of the bKash account, like 01712345678':
    'bKash অ্যাকাউন্টের ১১ সংখ্যার মোবাইল নম্বর দিন, যেমন 01712345678',
  'Enter the 11-digit mobile number of the Nagad account, like 01712345678':
    'Nagad অ্যাকাউন্টের ১১ সংখ্যার মোবাইল নম্বর দিন, যেমন 01712345678',
  'Enter the 12-digit Rocket account: the mobile number and its check digit':
    'Rocket অ্যাকাউন্টের ১২ সংখ্যার নম্বর দিন: মোবাইল নম্বর ও তার শেষের যাচাই সংখ্যা',
  'Enter the heading of the column': 'কলামের শিরোনাম দিন',
  'Enter the name of the account': 'অ্যাকাউন্টের নাম দিন',
  'Enter the name of the tax': 'করের নাম দিন',
  'Enter the payment details, {} to {} characters': 'টাকা পাঠানোর তথ্য দিন, {} থেকে {}টি অক্ষর',
  'Enter the question': 'প্রশ্নটি লিখুন',
  'Enter the reason': 'কারণ লিখুন',
  'Enter the taka for one dollar, like {}': 'এক ডলারে কত টাকা, তা দিন, যেমন {}',
  'Enter the text of the page': 'পাতার লেখা দিন',
  'Enter where the rate is from': 'হারটি কোথা থেকে নেওয়া, তা লিখুন',
  'Enter whole cents': 'পূর্ণ সেন্টে দিন',
  'Give the reason for your decision': 'আপনার সিদ্ধান্তের কারণ লিখুন',
  'Enter a reason. The user will see it.': 'কারণ লিখুন। ব্যবহারকারী এটি দেখতে পাবেন।',
  'Invalid email format': 'ইমেইলের ফরম্যাট সঠিক নয়',
  'Message is required': 'বার্তা লিখুন',
  'Minimum withdraw amount is {} coins.': 'কমপক্ষে {}টি কয়েন তুলতে হবে।',
  'Minimum {} characters': 'কমপক্ষে {}টি অক্ষর',
  'Must include lowercase letter': 'ছোট হাতের অক্ষর থাকতে হবে',
  'Must include special character': 'বিশেষ চিহ্ন থাকতে হবে',
  'Must include uppercase letter': 'বড় হাতের অক্ষর থাকতে হবে',
  'Name is required': 'নাম দিন',
  'Not a public key': 'এটি পাবলিক কী নয়',
  'Not a secret of {} bytes': 'এটি {} বাইটের সিক্রেট নয়',
  'Not the id of a saved card': 'এটি সংরক্ষিত কোনো কার্ডের আইডি নয়',
  'Password is required': 'পাসওয়ার্ড দিন',
  'Routing number is required': 'রাউটিং নম্বর দিন',
  'Say why the rejection is wrong': 'প্রত্যাখ্যানটি কেন ভুল, তা লিখুন',
  'Enter why this request can be paid': 'এই অনুরোধের টাকা কেন দেওয়া যায়, তা লিখুন',
  'Say why you stand by the rejection': 'প্রত্যাখ্যানে কেন অটল আছেন, তা লিখুন',
  'Send a JSON object': 'একটি JSON অবজেক্ট পাঠান',
  'Subject is required': 'বিষয় লিখুন',
  'The answers have at most {} characters together': 'সব উত্তর মিলিয়ে সর্বোচ্চ {}টি অক্ষর হতে পারে',
  'The minimum is more than the maximum': 'সর্বনিম্ন মান সর্বোচ্চ মানের চেয়ে বেশি',
  'This amount is too large': 'পরিমাণটি খুব বড়',
  'This does not have the right form': 'লেখাটির গঠন ঠিক নেই',
  'This field is required': 'ঘরটি পূরণ করুন',
  'This file is too large. Split it.': 'ফাইলটি খুব বড়। এটি ভাগ করুন।',
  'This format is not valid': 'লেখার ধরন ঠিক নেই',
  'This has the wrong type': 'মানটি সঠিক ধরনের নয়',
  'Add a question with options: other answers are not compared':
    'বিকল্পসহ একটি প্রশ্ন যোগ করুন: অন্য ধরনের উত্তর তুলনা করা হয় না',
  'Let at least two workers answer each item': 'প্রতিটি আইটেমে অন্তত দুজন কর্মী রাখুন',
  'This is not a valid pattern': 'প্যাটার্নটি বৈধ নয়',
  'This is not an id': 'এটি আইডি নয়',
  'This pattern is too complex': 'প্যাটার্নটি খুব জটিল',
  'This chunk is too large': 'অংশটি খুব বড়',
  'This question is required': 'প্রশ্নটির উত্তর দিন',
  'This should be a number': 'এটি একটি সংখ্যা হতে হবে',
  'This should be a whole number': 'এটি একটি পূর্ণসংখ্যা হতে হবে',
  'This should be text': 'এটি একটি লেখা হতে হবে',
  'This should be true or false': 'এটি true বা false হতে হবে',
  'This URL is too long': 'URL-টি খুব বড়',
  'This value is not valid': 'মানটি ঠিক নেই',
  'Two columns have the same heading': 'দুটি কলামের শিরোনাম একই',
  'Two questions have the same name': 'দুটি প্রশ্নের নাম একই',
  'Unknown cursor': 'অজানা কার্সর',
  'Unknown notification': 'অজানা নোটিফিকেশন',
  'Unknown question': 'এমন কোনো প্রশ্ন নেই',
  'Upload a list of pictures': 'ছবির একটি তালিকা আপলোড করুন',
  'Upload the pictures again': 'ছবিগুলো আবার আপলোড করুন',
  'Use visible characters only': 'শুধু দৃশ্যমান অক্ষর ব্যবহার করুন',
  'Write your response': 'আপনার জবাব লিখুন',
}

/** Texts whose values are words of the API, which stay as they are. */
const WITH_VALUES: [RegExp, (values: string) => string][] = [
  [/^Choose one of (.+)$/s, (values) => `এগুলোর একটি বেছে নিন: ${values}`],
  [/^This should be (.+)$/s, (value) => `এটি হতে হবে ${value}`],
]

const NUMBER = /\d[\d,]*(?:\.\d+)?/g

/** Returns a validation message in Bangla, or unchanged where it is none of ours. */
export function validationText(english: string): string {
  const exact = TEXTS[english]
  if (exact !== undefined) return exact
  const numbers = english.match(NUMBER) ?? []
  const pattern = TEXTS[english.replace(NUMBER, '{}')]
  if (pattern !== undefined) {
    let index = 0
    return pattern.replaceAll('{}', () => banglaDigits(numbers[index++] ?? ''))
  }
  for (const [known, inBangla] of WITH_VALUES) {
    const [, values] = known.exec(english) ?? []
    if (values !== undefined) return inBangla(values)
  }
  return english
}
