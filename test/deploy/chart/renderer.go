// Renders a Helm chart without dependencies as "helm template" does, from Debian's Go packages: text/template, sprig,
// sigs.k8s.io/yaml and gojsonschema, which Helm 3 itself is made of. One JSON object in, one out.
//
// What differs from Helm: no subcharts, globals or hooks; "lookup" finds nothing, as in "helm template"; Files.Glob has
// the patterns of path.Match.
package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/semver"
	"github.com/Masterminds/sprig"
	"github.com/xeipuuv/gojsonschema"
	"sigs.k8s.io/yaml"
)

type request struct {
	// Folder of the chart.
	Chart       string                 `json:"chart"`
	Release     string                 `json:"release"`
	Namespace   string                 `json:"namespace"`
	KubeVersion string                 `json:"kubeVersion"`
	APIVersions []string               `json:"apiVersions"`
	Values      map[string]interface{} `json:"values"`
	// As "helm lint --strict": a value that is not there is an error.
	Strict bool `json:"strict"`
}

type answer struct {
	// Rendered texts by the path of their template in the chart.
	Texts map[string]string `json:"texts,omitempty"`
	Error string            `json:"error,omitempty"`
}

func main() {
	var asked request
	must(json.NewDecoder(os.Stdin).Decode(&asked))
	texts, err := render(asked)
	told := answer{Texts: texts}
	if err != nil {
		told.Error = err.Error()
	}
	must(json.NewEncoder(os.Stdout).Encode(told))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render(asked request) (map[string]string, error) {
	files, err := readChart(asked.Chart)
	if err != nil {
		return nil, err
	}
	chart := map[string]interface{}{}
	defaults := map[string]interface{}{}
	if err := yaml.UnmarshalStrict(files["Chart.yaml"], &chart); err != nil {
		return nil, err
	}
	if err := yaml.UnmarshalStrict(files["values.yaml"], &defaults); err != nil {
		return nil, err
	}
	if err := checkKubeVersion(chart["kubeVersion"], asked.KubeVersion); err != nil {
		return nil, err
	}
	values := asked.Values
	if values == nil {
		values = map[string]interface{}{}
	}
	coalesce(values, defaults)
	if err := checkSchema(files["values.schema.json"], values); err != nil {
		return nil, err
	}
	return execute(asked, capitalize(chart), values, files)
}

func readChart(folder string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(relative)], err = os.ReadFile(name)
		return err
	})
	return files, err
}

// What a chart says of itself is told to templates under names that begin with a capital letter.
func capitalize(chart map[string]interface{}) map[string]interface{} {
	named := map[string]interface{}{}
	for key, value := range chart {
		if key == "apiVersion" {
			named["APIVersion"] = value
		} else {
			named[strings.ToUpper(key[:1])+key[1:]] = value
		}
	}
	return named
}

func checkKubeVersion(constraint interface{}, version string) error {
	wanted, isText := constraint.(string)
	if !isText {
		return nil
	}
	parsed, err := semver.NewConstraint(wanted)
	if err != nil {
		return err
	}
	current, err := semver.NewVersion(version)
	if err != nil {
		return err
	}
	if !parsed.Check(current) {
		return fmt.Errorf("chart requires kubeVersion: %s which is incompatible with Kubernetes %s", wanted, version)
	}
	return nil
}

// Adds to the values what only the chart has; null takes a default away.
func coalesce(values, defaults map[string]interface{}) {
	for key, usual := range defaults {
		given, isGiven := values[key]
		table, isTable := given.(map[string]interface{})
		usualTable, isUsualTable := usual.(map[string]interface{})
		switch {
		case isGiven && given == nil:
			delete(values, key)
		case isTable && isUsualTable:
			coalesce(table, usualTable)
		case !isGiven && usual != nil:
			values[key] = usual
		}
	}
}

func checkSchema(schema []byte, values map[string]interface{}) error {
	written, err := json.Marshal(values)
	if err != nil {
		return err
	}
	result, err := gojsonschema.Validate(gojsonschema.NewBytesLoader(schema), gojsonschema.NewBytesLoader(written))
	if err != nil {
		return err
	}
	problems := []string{}
	for _, problem := range result.Errors() {
		problems = append(problems, problem.String())
	}
	if len(problems) == 0 {
		return nil
	}
	sort.Strings(problems)
	return errors.New(strings.Join(problems, "\n"))
}

type chartFiles map[string][]byte

func (f chartFiles) Get(name string) string { return string(f[name]) }

func (f chartFiles) Glob(pattern string) chartFiles {
	found := chartFiles{}
	for name, content := range f {
		if matches, _ := path.Match(pattern, name); matches {
			found[name] = content
		}
	}
	return found
}

func (f chartFiles) AsSecrets() string {
	encoded := map[string]string{}
	for name, content := range f {
		encoded[path.Base(name)] = base64.StdEncoding.EncodeToString(content)
	}
	return toYAML(encoded)
}

func (f chartFiles) AsConfig() string {
	texts := map[string]string{}
	for name, content := range f {
		texts[path.Base(name)] = string(content)
	}
	return toYAML(texts)
}

type apiVersions []string

func (known apiVersions) Has(wanted string) bool {
	for _, each := range known {
		if each == wanted {
			return true
		}
	}
	return false
}

func execute(asked request, chart, values map[string]interface{}, files map[string][]byte) (map[string]string, error) {
	version, err := semver.NewVersion(asked.KubeVersion)
	if err != nil {
		return nil, err
	}
	root := template.New("gotpl").Option("missingkey=zero")
	if asked.Strict {
		root.Option("missingkey=error")
	}
	root.Funcs(functions(root, asked.Strict))
	templates := []string{}
	others := chartFiles{}
	for name, content := range files {
		switch {
		case strings.HasPrefix(name, "templates/"):
			templates = append(templates, name)
		case name != "Chart.yaml" && name != "values.yaml" && name != "values.schema.json":
			others[name] = content
		}
	}
	sort.Strings(templates)
	for _, name := range templates {
		if _, err := root.New(name).Parse(string(files[name])); err != nil {
			return nil, err
		}
	}
	texts := map[string]string{}
	for _, name := range templates {
		if strings.HasPrefix(path.Base(name), "_") {
			continue
		}
		var text strings.Builder
		err := root.ExecuteTemplate(&text, name, map[string]interface{}{
			"Chart":  chart,
			"Values": values,
			"Files":  others,
			"Release": map[string]interface{}{
				"Name": asked.Release, "Namespace": asked.Namespace, "Service": "Helm",
				"IsInstall": true, "IsUpgrade": false, "Revision": 1,
			},
			"Capabilities": map[string]interface{}{
				"APIVersions": apiVersions(asked.APIVersions),
				"KubeVersion": map[string]interface{}{
					"Version": "v" + version.String(), "Major": fmt.Sprint(version.Major()), "Minor": fmt.Sprint(version.Minor()),
				},
			},
			"Template": map[string]interface{}{"Name": name, "BasePath": "templates"},
		})
		if err != nil {
			return nil, plainFailure(err)
		}
		texts[name] = strings.ReplaceAll(text.String(), "<no value>", "")
	}
	return texts, nil
}

var toldFailure = regexp.MustCompile(`(?s)HELM_ERR_START(.*)HELM_ERR_END`)

// What "fail" and "required" say stands alone.
func plainFailure(err error) error {
	if found := toldFailure.FindStringSubmatch(err.Error()); found != nil {
		return errors.New(found[1])
	}
	return err
}

func functions(root *template.Template, strict bool) template.FuncMap {
	known := sprig.TxtFuncMap()
	delete(known, "env")
	delete(known, "expandenv")
	known["getHostByName"] = func(string) string { return "" }
	known["toYaml"] = toYAML
	known["fromYaml"] = func(text string) map[string]interface{} {
		read := map[string]interface{}{}
		if err := yaml.Unmarshal([]byte(text), &read); err != nil {
			read["Error"] = err.Error()
		}
		return read
	}
	known["toJson"] = func(value interface{}) string {
		written, _ := json.Marshal(value)
		return string(written)
	}
	known["lookup"] = func(string, string, string, string) map[string]interface{} { return map[string]interface{}{} }
	known["fail"] = func(told string) (string, error) { return "", failure(told) }
	known["required"] = func(told string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return value, failure(told)
		}
		return value, nil
	}
	addRendering(known, root, strict)
	return known
}

func failure(told string) error { return errors.New("HELM_ERR_START" + told + "HELM_ERR_END") }

// "tpl" renders beside the templates of its caller, whose "include" finds what the text itself defines.
func addRendering(known template.FuncMap, from *template.Template, strict bool) {
	known["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := from.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	known["tpl"] = func(source string, data interface{}) (string, error) {
		copied, err := from.Clone()
		if err != nil {
			return "", err
		}
		if strict {
			copied.Option("missingkey=error")
		} else {
			copied.Option("missingkey=zero")
		}
		own := template.FuncMap{}
		addRendering(own, copied, strict)
		parsed, err := copied.Funcs(own).New(from.Name()).Parse(source)
		if err != nil {
			return "", err
		}
		var text strings.Builder
		err = parsed.Execute(&text, data)
		return strings.ReplaceAll(text.String(), "<no value>", ""), err
	}
}

func toYAML(value interface{}) string {
	written, err := yaml.Marshal(value)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(written), "\n")
}
