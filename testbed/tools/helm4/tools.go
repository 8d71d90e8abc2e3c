//go:build tools

// Package tools pins the programs that the testbed builds from this module.
package tools

import (
	_ "helm.sh/helm/v4/cmd/helm"
)
