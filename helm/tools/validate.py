"""validate.py FILE RELEASE…: prints what is wrong with the objects of a YAML file for releases of Kubernetes, a line each: "1.31 Deployment gateway: …"."""
import functools
import sys

import kubernetes_validate
import yaml
from kubernetes_validate import utils

# It would read all definitions again for each object.
utils.schema_contents = functools.cache(utils.schema_contents)

file, *releases = sys.argv[1:]
with open(file) as text:
    objects = [one for one in yaml.safe_load_all(text) if one]
for release in releases:
    for one in objects:
        try:
            # Strict: a field that is not known is wrong.
            kubernetes_validate.validate(one, release, strict=True)
        except kubernetes_validate.ValidationError as error:
            print(f"{release} {one['kind']} {one['metadata']['name']}: {'/'.join(map(str, error.path))}: {error.message}")
        except kubernetes_validate.SchemaNotFoundError as error:
            print(f"{release} {one['kind']} {one['metadata']['name']}: {error.message}")
