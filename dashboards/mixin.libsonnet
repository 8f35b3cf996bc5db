// The generated boards and rules for those who deploy mixins; nothing is written here twice.
local rules = import 'rules/dbpm.rules.json';
local isAlert(rule) = std.objectHas(rule, 'alert');
local groupsOf(wanted) = [
  group { rules: std.filter(wanted, group.rules) }
  for group in rules.groups
  if std.length(std.filter(wanted, group.rules)) > 0
];

{
  grafanaDashboards+:: {
    'dbpm-api-keys.json': import 'boards/dbpm-api-keys.json',
    'dbpm-endpoints.json': import 'boards/dbpm-endpoints.json',
    'dbpm-exporter.json': import 'boards/dbpm-exporter.json',
    'dbpm-fleet.json': import 'boards/dbpm-fleet.json',
    'dbpm-operations.json': import 'boards/dbpm-operations.json',
    'dbpm-project.json': import 'boards/dbpm-project.json',
    'dbpm-usage-cost.json': import 'boards/dbpm-usage-cost.json',
  },
  prometheusAlerts+:: {
    groups+: groupsOf(isAlert),
  },
  prometheusRules+:: {
    groups+: groupsOf(function(rule) !isAlert(rule)),
  },
}
