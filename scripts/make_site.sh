#!/usr/bin/env bash
# make_site.sh [--packages | --installed]
#
# Builds the site of the documentation in build/site/html: the pages, the reference of the Python
# package and of the C header, and the notebooks with their outputs. A broken link is an error.
# --packages only installs the packages that this takes, and --installed uses what python.sh has
# installed besides. Exits with 77 if the package index is needed and cannot be reached.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

environment=$(scripts/python_environment.sh 'sphinx>=8' 'myst-nb>=1.1' furo sphinx-autoapi sphinxcontrib-mermaid \
  pytket cirq-core pennylane bqskit ray)
case ${1:-} in
  --packages) exit ;;
  --installed) ;;
  *) scripts/install_python_package.sh "$environment" ;;
esac
exec "$environment/bin/python" -B scripts/make_site.py
