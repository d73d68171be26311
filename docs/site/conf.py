"""Settings of Sphinx for the site of the documentation, which scripts/make_site.sh builds."""

import pygments.lexers

project = "Quartz"
author = "The Quartz developers"
project_copyright = "The Quartz developers"

extensions = [
    "myst_nb",  # pages in Markdown, and notebooks
    "sphinx.ext.autodoc",  # docstrings of Python code
    "sphinx.ext.napoleon",
    "autoapi.extension",  # docstrings of the extension module, from its stub
    "sphinxcontrib.mermaid",
]
exclude_patterns = ["python/**"]
highlight_language = "none"
smartquotes = False  # they would make a dash of the hyphens of an option

# Anchors of headings are those of GitHub.
myst_heading_anchors = 4
myst_fence_as_directive = ["mermaid"]

# Notebooks are stored without outputs, so that the outputs of the site are those of this version.
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True

# Longer signatures have a line for each parameter.
python_maximum_signature_line_length = 88
autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
autoapi_dirs = ["python/quartz"]
autoapi_generate_api_docs = False
autoapi_add_toctree_entry = False
autoapi_keep_files = False
autoapi_options = ["members", "imported-members"]
autoapi_member_order = "bysource"

html_theme = "furo"
html_title = "Quartz"
html_static_path = ["site"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False


def setup(app):
    """Called by Sphinx."""
    app.add_lexer("inc", pygments.lexers.CppLexer)  # rows of a list, such as searches.inc
