# What one does with this clone. Each target calls a script, which says more at its top.

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint torture bench serve kind web mockups mockups-export record clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1@\2/p' Makefile | column -t -s @

setup: ## Install and build what the rest needs; skips what is there
	@testbed/setup.sh

demo: ## Run Slipway on an embedded cluster (PORT=8080)
	@PORT=$(PORT) testbed/demo.sh

test: ## Run every test; the last line counts them
	@testbed/test.sh

lint: ## Check format and lints alone
	@testbed/test.sh lint

torture: ## Random operations under random faults, and the proof (MINUTES=10, SEED=…, HELM=4)
	@MINUTES=$(MINUTES) SEED=$(SEED) HELM=$(HELM) testbed/torture.sh

bench: ## Measure answer times, beside those of helm
	@testbed/bench.sh

serve: ## Run Slipway against a cluster of yours (CONTEXT=…, PORT=8080)
	@PORT=$(PORT) testbed/serve.sh "$(CONTEXT)"

kind: ## Run Slipway against a kind cluster (PORT=8080)
	@PORT=$(PORT) testbed/kind.sh

web: ## Build the browser's side into dist/
	@testbed/setup.sh wasm trunk wasm-bindgen wasm-split node
	@testbed/web.sh

mockups: ## Make the mock-ups, a folder that any web server can offer: target/mockups
	@testbed/mockups.sh

mockups-export: ## The mock-ups as pictures and one PDF, in docs/review
	@testbed/mockups.sh export

record: ## Record the mock-ups' flows anew, on an embedded cluster (FLOW=words of a flow's name)
	@FLOW="$(FLOW)" testbed/record.sh

clean: ## Remove what was built in this clone; tools stay in their cache
	@rm -rf target dist style/node_modules end2end/node_modules
