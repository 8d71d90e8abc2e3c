//! The values of a chart and of the charts in it, put together as helm does it (`pkg/chart/common/util/coalesce.go`,
//! `pkg/chart/v2/util/dependencies.go`).

use semver::VersionReq;
use serde_json::{Map, Value};

use super::yaml::{self, Pairs, Unreadable};
use crate::charts::order;
use crate::charts::tree::{Chart, Dependency};

type Table = Map<String, Value>;

/// A chart with its values, under the name that its values have in the chart that it is in.
#[derive(Debug)]
pub struct Layer<'a> {
    pub name: String,
    pub chart: &'a Chart,
    /// Its values.yaml.
    pub written: Pairs,
    pub below: Vec<Layer<'a>>,
    /// What helm takes for its values.yaml: with what is imported from below.
    values: Table,
    /// Which charts below it names, under their names here, and whether they are on.
    needs: Vec<Need<'a>>,
}

#[derive(Debug)]
struct Need<'a> {
    name: String,
    says: &'a Dependency,
    is_on: bool,
}

/// Values that stand where a chart's have to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// Where.
    pub path: Vec<String>,
}

impl<'a> Layer<'a> {
    /// A chart and the charts in it, all of them. Values that cannot be read are none, and are told of.
    pub fn of(chart: &'a Chart, broken: &mut Vec<(String, Unreadable)>) -> Self {
        Self::named(&chart.name, chart, broken)
    }

    fn named(name: &str, chart: &'a Chart, broken: &mut Vec<(String, Unreadable)>) -> Self {
        let written = yaml::read(&chart.values).unwrap_or_else(|error| {
            broken.push((name.to_owned(), error));
            Pairs::default()
        });
        let chosen = |says: &Dependency| {
            let mut candidates = chart.charts.iter().filter(|inner| inner.name == says.name);
            let first = candidates.clone().next()?;
            // Where there is one alone, helm says so when it does not fit.
            Some(candidates.find(|inner| fits(&says.version, &inner.version)).unwrap_or(first))
        };
        let is_chosen = |inner: &Chart| {
            chart.dependencies.iter().filter_map(chosen).any(|found| std::ptr::eq(found, inner))
        };
        let unnamed = chart.charts.iter().filter(|inner| !is_chosen(inner));
        let mut below: Vec<Self> = unnamed.map(|inner| Self::named(&inner.name, inner, broken)).collect();
        let mut needs = Vec::new();
        for says in &chart.dependencies {
            let name = says.alias.as_deref().unwrap_or(&says.name);
            below.extend(chosen(says).map(|found| Self::named(name, found, broken)));
            needs.push(Need { name: name.to_owned(), says, is_on: true });
        }
        Self { name: name.to_owned(), chart, values: written.to_map(), written, below, needs }
    }

    /// Takes out the charts that these values switch off, and imports what is imported.
    ///
    /// # Errors
    /// Where the values have no place for a chart's.
    pub fn settle(&mut self, user: &Table) -> Result<(), Clash> {
        self.switch(user, &mut Vec::new())?;
        self.import()
    }

    /// The user's values over the chart's own, and those of the charts in it.
    ///
    /// # Errors
    /// Where the values have no place for a chart's.
    pub fn coalesce(&self, user: &Table) -> Result<Table, Clash> {
        let mut values = user.clone();
        self.lay(&mut values, false, &mut Vec::new())?;
        Ok(values)
    }

    fn switch(&mut self, user: &Table, path: &mut Vec<String>) -> Result<(), Clash> {
        if self.needs.is_empty() {
            return Ok(());
        }
        let values = self.coalesce(user)?;
        let tags = values.get("tags").and_then(Value::as_object);
        for need in &mut self.needs {
            let told: Vec<bool> = need
                .says
                .tags
                .iter()
                .filter_map(|tag| tags.and_then(|tags| tags.get(tag)).and_then(Value::as_bool))
                .collect();
            need.is_on = told.is_empty() || told.contains(&true);
            let conditions = need.says.condition.trim().split(',').filter(|condition| !condition.is_empty());
            let mut told = conditions.filter_map(|condition| {
                let mut names = path.iter().map(String::as_str).chain(condition.split('.'));
                let first = values.get(names.next()?);
                names.fold(first, |at, name| at?.get(name))?.as_bool()
            });
            need.is_on = told.next().unwrap_or(need.is_on);
        }
        let needs = &self.needs;
        self.below.retain(|chart| !needs.iter().any(|need| need.name == chart.name && !need.is_on));
        for chart in &mut self.below {
            path.push(chart.name.clone());
            chart.switch(&values, path)?;
            path.pop();
        }
        self.needs.retain(|need| need.is_on);
        Ok(())
    }

    fn import(&mut self) -> Result<(), Clash> {
        for chart in &mut self.below {
            chart.import()?;
        }
        if self.needs.is_empty() {
            return Ok(());
        }
        let mut values = Table::new();
        self.lay(&mut values, true, &mut Vec::new())?;
        let mut imported = Table::new();
        for need in &self.needs {
            for (child, parent) in &need.says.imports {
                let from = child.split('.').fold(values.get(&need.name), |at, name| at?.get(name));
                let Some(Value::Object(from)) = from else { continue };
                let table = match parent.as_str() {
                    "." => from.clone(),
                    path => path.rsplit('.').fold(from.clone(), |inner, name| {
                        Table::from_iter([(name.to_owned(), Value::Object(inner))])
                    }),
                };
                lay_table(&mut imported, table, true);
            }
        }
        lay_table(&mut values, imported, true);
        self.values = values;
        Ok(())
    }

    /// Lays `above` over the chart's values and those of the charts in it; the result is in `above`.
    fn lay(&self, above: &mut Table, merge: bool, path: &mut Vec<String>) -> Result<(), Clash> {
        for (key, below) in &self.values {
            match above.get_mut(key) {
                // A null takes the chart's own value away.
                Some(Value::Null) if !merge => drop(above.remove(key)),
                Some(Value::Object(table)) => {
                    if let Value::Object(below) = below {
                        let merge = merge || self.below.iter().any(|chart| chart.name == *key);
                        let below = if merge { below.clone() } else { without_nulls(below) };
                        lay_table(table, below, merge);
                    }
                }
                Some(_) => {}
                None if merge => drop(above.insert(key.clone(), below.clone())),
                None => match below {
                    Value::Null => {}
                    Value::Object(below) => {
                        above.insert(key.clone(), Value::Object(without_nulls(below)));
                    }
                    _ => drop(above.insert(key.clone(), below.clone())),
                },
            }
        }
        for chart in &self.below {
            let global = above.get("global").cloned();
            let inner = above.entry(&chart.name).or_insert_with(|| Value::Object(Table::new()));
            path.push(chart.name.clone());
            let Value::Object(inner) = inner else { return Err(Clash { path: path.clone() }) };
            share(inner, global);
            chart.lay(inner, merge, path)?;
            path.pop();
        }
        Ok(())
    }
}

/// Gives a chart the `global` values of the one that it is in.
fn share(into: &mut Table, global: Option<Value>) {
    let from = match global {
        None => Table::new(),
        Some(Value::Object(from)) => from,
        Some(_) => return,
    };
    let Value::Object(into) = into.entry("global").or_insert_with(|| Value::Object(Table::new())) else {
        return;
    };
    for (key, value) in from {
        match (value, into.get_mut(&key)) {
            (Value::Object(mut above), Some(Value::Object(below))) => {
                lay_table(&mut above, std::mem::take(below), true);
                *below = above;
            }
            (Value::Object(_), Some(_)) | (_, Some(Value::Object(_))) => {}
            (value, _) => drop(into.insert(key, value)),
        }
    }
}

/// Helm's `coalesceTablesFullKey`.
fn lay_table(above: &mut Table, below: Table, merge: bool) {
    for (key, value) in below {
        match (above.get_mut(&key), value) {
            (Some(Value::Null), Value::Null) => {}
            (Some(Value::Null), _) if !merge => drop(above.remove(&key)),
            (Some(Value::Object(table)), Value::Object(below)) => lay_table(table, below, merge),
            (Some(_), _) => {}
            (None, value) => drop(above.insert(key, value)),
        }
    }
}

/// A null in a chart's own values is as if it were not there.
fn without_nulls(table: &Table) -> Table {
    let kept = table.iter().filter(|(_, value)| !value.is_null());
    let kept = kept.map(|(key, value)| match value {
        Value::Object(inner) => (key.clone(), Value::Object(without_nulls(inner))),
        _ => (key.clone(), value.clone()),
    });
    kept.collect()
}

/// Whether a version is in a dependency's range; what cannot be told is not.
fn fits(range: &str, version: &str) -> bool {
    let range = VersionReq::parse(&range.trim().replace(' ', ","));
    range.is_ok_and(|range| order::parse(version).is_some_and(|version| range.matches(&version)))
}

#[cfg(test)]
mod tests;
