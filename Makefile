# Highwater's commands. `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup run record test test-all browsers pictures pythons mutants digests check sizes format bench hosts nightly package release site migrate lock clean

bin := .venv/bin

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install everything that development needs: Python packages in .venv, npm packages in frontend
	@scripts/ensure-frontend packages & packages=$$!; \
	  scripts/ensure-python all; status=$$?; wait $$packages && exit $$status
	@scripts/ensure-frontend types

run: ## Serve Highwater on an embedded SQLite file: make run PORT=8123 HOST=0.0.0.0
	@scripts/ensure-python service
	@scripts/ensure-frontend build
	@$(bin)/highwater serve $(if $(HOST),--host $(HOST)) $(if $(PORT),--port $(PORT))

record: setup ## Let real Kafka brokers carry out a scenario: make record ARGS="s26 --kafka 0.10.2.2 -o loss.json"
	@$(bin)/highwater record $(ARGS)

test: setup ## Run the everyday tests: engine, service, analytics, frontend, browser (installs what they need)
	@scripts/run-tests

test-all: setup ## Run all tests, including those that take minutes
	@scripts/run-tests --all

nightly: setup ## Compare random schedules with real brokers of an old, a middle and the newest release: make nightly RUNS=200
	@scripts/ensure-tool java
	@mkdir -p var/walks
	@set -e; status=0; seed=$${SEED:-$$(date +%Y%m%d)}; for release in 1.1.1 3.5.2 $$($(bin)/python -c "from sim_engine.releases import RELEASES; print(RELEASES[-1])"); do \
	  $(bin)/highwater walk --against $$release --runs $(or $(RUNS),100) --seed $$seed --keep var/walks || status=$$?; \
	done; exit $$status

browsers: setup ## Run the user journeys in Chromium, Firefox and WebKit, at desktop and phone size
	@scripts/ensure-frontend build
	@scripts/ensure-tool browsers
	@$(bin)/python -m pytest -q -p no:playwright tests/browsers

pythons: setup ## Test the engine and the service under every supported Python that is installed
	@scripts/ensure-frontend build
	@scripts/try-pythons $(ARGS)

pictures: setup ## Compare every page and state with the stored pictures: make pictures ARGS="run- home"
	@scripts/ensure-frontend build
	@scripts/ensure-tool chromium
	@$(bin)/python -m tests.pictures $(ARGS)

mutants: setup ## Invert each rule of the engine and print the test that fails
	@$(bin)/python -m tests.mutants

digests: setup ## Digests of the engine's behaviour: make digests ARGS="new.json --against old.json"
	@$(bin)/python -m tests.behaviour_digests $(ARGS)

check: setup ## Static checks: formatting, lint, types, import contracts, sizes, Dockerfile
	@scripts/run-checks

sizes: setup ## Print the lines of each room and what it may have at most
	@$(bin)/python scripts/sizes --all

format: setup ## Rewrite all code in the project's format
	@$(bin)/ruff format .
	@$(bin)/ruff check --fix-only .
	@npm --prefix frontend run --silent format

bench: setup ## Measure the engine and the service; prints ratios: make bench ARGS="soak --minutes 10"
	@scripts/ensure-frontend build
	@$(bin)/python -m tests.benchmarks $(ARGS)

hosts: setup ## Build sites with embedded runs, and check each in a browser: make hosts ARGS="vitepress hugo"
	@scripts/ensure-frontend build
	@scripts/ensure-tool chromium
	@$(bin)/python -m tests.hosts $(ARGS)

package: ## Build the wheel, the source distribution and the npm package of the element into dist/
	@scripts/ensure-python service
	@scripts/ensure-frontend build
	@$(bin)/python -m hatchling build -d dist
	@cd frontend/packages/element && npm pack --silent --pack-destination ../../../dist

release: ## Build everything that a release has into dist/, and check it as its users meet it
	@scripts/ensure-python service
	@$(bin)/python scripts/release

site: ## Write the whole site as files to build/site: make site BASE_URL=https://USER.github.io/REPOSITORY
	@scripts/ensure-python service
	@scripts/ensure-frontend build
	@$(bin)/highwater site --out build/site $(if $(BASE_URL),--base-url "$(BASE_URL)")

migrate: ## Upgrade the database of HIGHWATER_DATABASE_URL to the latest schema
	@scripts/ensure-python service
	@$(bin)/highwater migrate

lock: ## Write requirements/*.txt from pyproject.toml: make lock ARGS=--upgrade
	@scripts/ensure-python all
	@scripts/lock $(ARGS)

clean: ## Delete installed packages and build output
	@rm -rf .venv var build dist frontend/node_modules frontend/dist frontend/dist-server
