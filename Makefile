# Highwater's commands. `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup run test test-all browsers pictures pythons mutants check format bench hosts package migrate lock clean

bin := .venv/bin

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install everything that development needs: Python packages in .venv, npm packages in frontend
	@scripts/ensure-python all
	@scripts/ensure-frontend packages

run: ## Serve Highwater on an embedded SQLite file: make run PORT=8123 HOST=0.0.0.0
	@scripts/ensure-python service
	@scripts/ensure-frontend build
	@$(bin)/highwater serve $(if $(HOST),--host $(HOST)) $(if $(PORT),--port $(PORT))

test: setup ## Run the everyday tests: engine, service, analytics, frontend, browser (installs what they need)
	@scripts/run-tests

test-all: setup ## Run every test, those that take minutes as well
	@scripts/run-tests --all

browsers: setup ## Walk the journeys in Chromium, Firefox and WebKit, on a desktop and on a phone
	@scripts/ensure-frontend build
	@scripts/ensure-tool browsers
	@$(bin)/python -m pytest -q -p no:playwright tests/browsers

pythons: setup ## Test the engine and the service under every supported Python that is installed
	@scripts/ensure-frontend build
	@scripts/try-pythons $(ARGS)

pictures: setup ## Compare every page and state with the pictures that are kept: make pictures ARGS="run- home"
	@scripts/ensure-frontend build
	@scripts/ensure-tool chromium
	@$(bin)/python -m tests.pictures $(ARGS)

mutants: setup ## Break each rule of the engine on purpose and name the test that notices
	@$(bin)/python -m tests.mutants

check: setup ## Look without running: formatting, lint, types, import contracts, Dockerfile
	@scripts/run-checks

format: setup ## Rewrite Python files in the project's format
	@$(bin)/ruff format .
	@$(bin)/ruff check --fix-only .

bench: setup ## Measure the engine and the service; prints ratios: make bench ARGS="soak --minutes 10"
	@scripts/ensure-frontend build
	@$(bin)/python -m tests.benchmarks $(ARGS)

hosts: setup ## Build the sites that people embed runs in, and look at each: make hosts ARGS="vitepress hugo"
	@scripts/ensure-frontend build
	@scripts/ensure-tool chromium
	@$(bin)/python -m tests.hosts $(ARGS)

package: setup ## Build the wheel and the source distribution, pages included, into dist/
	@scripts/ensure-frontend build
	@$(bin)/python -m hatchling build -d dist

migrate: ## Bring the database of HIGHWATER_DATABASE_URL to the newest schema
	@scripts/ensure-python service
	@$(bin)/highwater migrate

lock: ## Write requirements/*.txt anew from pyproject.toml: make lock ARGS=--upgrade
	@scripts/ensure-python all
	@scripts/lock $(ARGS)

clean: ## Remove what was installed and built
	@rm -rf .venv var build dist frontend/node_modules frontend/dist frontend/dist-server
