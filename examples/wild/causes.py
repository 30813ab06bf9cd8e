"""Writes what the audits named as causes into the page of filters in the wild:
    python3 examples/wild/causes.py build/wild/cards configs/wild/in_the_wild.page.md"""
import json
import pathlib
import re
import sys

cards, page = map(pathlib.Path, sys.argv[1:])


def certainty(finding):
    """Cards of before the present rule have no "not_excluded"; what they named by rates is possible."""
    is_former = "not_excluded" not in finding and finding["fits"]
    return "possible" if is_former else finding["certainty"]


rows = []
for card in sorted(cards.glob("*/audit.json")):
    audit = json.loads(card.read_text())
    broken = [finding for finding in audit["findings"] if finding["breaks_promise"]]
    rows += [(card.parent.name, finding["class"], certainty(finding)) for finding in broken]
    if not broken:
        rows.append((card.parent.name, "", ""))
values = ",\n  ".join("('" + "', '".join(row) + "')" for row in rows)
block = f"""```sql data audited
-- Written by examples/wild/causes.py from the cards of the audits.
select column1 as adapter, column2 as class, column3 as certainty from (values
  {values})
```"""
text = page.read_text()
page.write_text(re.sub(r"```sql data audited\n.*?```", lambda _: block, text, flags=re.S))
