"""Which file an import means."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from fxlint.index.environment import locate
from fxlint.index.project import Project
from fxlint.syntax.source import Source
from tests.index.build import module, project, write


def found(built: Project, dotted: str, origin: str | None = None) -> str | None:
    file = built.find(dotted, None if origin is None else module(built, origin))
    return None if file is None else os.path.relpath(file.full_path, built_root(built))


def built_root(built: Project) -> str:
    return os.path.commonpath([item.folder for item in built.checked])


def test_a_package_is_found_by_absolute_names(tmp_path: Path) -> None:
    built = project(tmp_path, {"net/__init__.py": "", "net/layers/__init__.py": "", "net/layers/drop.py": ""})
    assert [item.name for item in built.checked] == ["net", "net.layers", "net.layers.drop"]
    assert built.find("net.layers.drop") is built.checked[2]
    assert built.find("net.layers") is built.checked[1]
    assert built.find("net.layers.nothing") is None
    assert built.find("layers") is None


def test_a_file_is_one_module_however_it_is_found(tmp_path: Path) -> None:
    built = project(tmp_path, {"net/__init__.py": "", "net/a.py": "", "net/b.py": ""}, checked=["net/a.py"])
    origin = built.checked[0]
    assert built.find("net.b", origin) is built.find("net.b")
    assert built.find("net.a", origin) is origin
    other = built.find("net.b")
    assert other is not None
    assert not other.checked


@pytest.mark.parametrize(
    ("level", "name", "expected"),
    [
        (0, "x.y", "x.y"),
        (1, None, "net.layers"),
        (1, "drop", "net.layers.drop"),
        (2, None, "net"),
        (2, "ops.box", "net.ops.box"),
        (4, "far", ""),
    ],
)
def test_relative_names_of_a_module(tmp_path: Path, level: int, name: str | None, expected: str) -> None:
    built = project(tmp_path, {"net/__init__.py": "", "net/layers/__init__.py": "", "net/layers/drop.py": ""})
    assert built.resolve_relative(module(built, "layers/drop.py"), level, name) == expected


def test_relative_names_of_a_package_start_at_itself(tmp_path: Path) -> None:
    built = project(tmp_path, {"net/__init__.py": "", "net/layers/__init__.py": ""})
    package = module(built, "layers/__init__.py")
    assert built.resolve_relative(package, 1, "drop") == "net.layers.drop"
    assert built.resolve_relative(package, 2, None) == "net"


def test_relative_names_in_folders_without_init(tmp_path: Path) -> None:
    built = project(tmp_path, {"ns/sub/a.py": "", "ns/sub/b.py": "", "ns/c.py": ""})
    a = module(built, "sub/a.py")
    assert built.find(built.resolve_relative(a, 1, "b"), a) is module(built, "sub/b.py")
    assert built.find(built.resolve_relative(a, 2, "c"), a) is module(built, "ns/c.py")
    assert built.find(built.resolve_relative(a, 1, None) + ".b", a) is module(built, "sub/b.py")


def test_scripts_get_their_stem_and_see_their_siblings_first(tmp_path: Path) -> None:
    built = project(
        tmp_path, {"one/run.py": "", "one/ops.py": "", "two/run.py": "", "two/ops.py": "", "two/kit/__init__.py": ""}
    )
    assert {item.name for item in built.checked} == {"run", "ops", "kit"}
    assert found(built, "ops", "one/run.py") == "one/ops.py"
    assert found(built, "ops", "two/run.py") == "two/ops.py"
    assert found(built, "kit", "two/run.py") == "two/kit/__init__.py"


def test_a_package_file_does_not_see_its_siblings_by_bare_names(tmp_path: Path) -> None:
    built = project(tmp_path, {"net/__init__.py": "", "net/data.py": "", "net/model.py": ""})
    assert built.find("data", module(built, "model.py")) is None


def test_a_script_sees_packages_of_the_folders_above_it(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": "",
        "tools/train.py": "",
        "net/__init__.py": "",
        "src/lib/__init__.py": "",
        "plain/m.py": "",
    }
    built = project(tmp_path, files)
    assert found(built, "net", "train.py") == "net/__init__.py"
    assert found(built, "lib", "train.py") == "src/lib/__init__.py"
    assert found(built, "plain.m", "train.py") == "plain/m.py"


def test_namespace_packages_have_no_file(tmp_path: Path) -> None:
    built = project(tmp_path, {"ns/part/mod.py": "", "run.py": ""})
    run = module(built, "run.py")
    assert built.find("ns", run) is None
    assert built.is_namespace("ns.part", run)
    assert found(built, "ns.part.mod", "run.py") == "ns/part/mod.py"
    assert not built.is_namespace("absent", run)


def test_a_namespace_folder_inside_a_package_belongs_to_it(tmp_path: Path) -> None:
    built = project(tmp_path, {"net/__init__.py": "", "net/parts/block.py": ""})
    block = module(built, "block.py")
    assert block.name == "net.parts.block"
    assert built.resolve_relative(block, 2, "x") == "net.x"


def test_a_regular_package_goes_before_an_earlier_namespace_portion(tmp_path: Path) -> None:
    write(tmp_path, {"env/lib/python3.11/site-packages/lib/__init__.py": "", "env/pyvenv.cfg": ""})
    built = project(tmp_path / "repo", {"run.py": "", "lib/notes.txt": ""}, python=str(tmp_path / "env"))
    file = built.find("lib", built.checked[0])
    assert file is not None
    assert "site-packages" in file.path


def test_a_named_folder_without_init_is_a_namespace_package(tmp_path: Path) -> None:
    write(tmp_path, {"kit/a.py": "", "kit/sub/b.py": ""})
    built = Project([Source.read(str(tmp_path / "kit/sub/b.py"))], python="none", search=[tmp_path / "kit"])
    assert built.find("kit.a", built.checked[0]) is not None


def test_packages_beside_the_checked_one(tmp_path: Path) -> None:
    files = {"net/__init__.py": "", "einops/__init__.py": "", "einops/layers.py": ""}
    write(tmp_path, files)
    built = Project([Source.read(str(tmp_path / "net/__init__.py"))], python="none", search=[tmp_path / "net"])
    beside = built.find("einops.layers", built.checked[0])
    assert beside is not None
    assert beside.name == "einops.layers"
    assert not beside.checked


def test_the_nearer_of_two_packages_of_one_name(tmp_path: Path) -> None:
    built = project(tmp_path, {"a/net/__init__.py": "", "a/net/m.py": "", "b/net/__init__.py": "", "b/net/m.py": ""})
    assert found(built, "net.m", "a/net/__init__.py") == "a/net/m.py"
    assert found(built, "net.m", "b/net/__init__.py") == "b/net/m.py"


def test_torch_numpy_and_the_standard_library_are_opaque(tmp_path: Path) -> None:
    built = project(tmp_path, {"run.py": "", "queue.py": "", "math.py": ""})
    run = built.checked[0]
    assert built.is_opaque("torch.nn.functional", run)
    assert built.is_opaque("numpy", run)
    assert built.is_opaque("os.path", run)
    assert not built.is_opaque("timm", run)
    assert built.is_opaque("queue")
    assert not built.is_opaque("queue", run)
    assert built.is_opaque("sys", run)


def test_a_file_that_does_not_parse_is_empty(tmp_path: Path) -> None:
    built = project(tmp_path, {"bad.py": "def f(:\n"})
    assert built.checked[0].tree.body == []
    assert dict(built.symbols(built.checked[0]).bindings) == {}


def test_a_found_file_that_cannot_be_read_is_empty(tmp_path: Path) -> None:
    built = project(tmp_path, {"run.py": "", "lib.py": ""}, checked=["run.py"])
    (tmp_path / "lib.py").write_bytes(b"x = '\xff'\n")
    (tmp_path / "gone.py").write_text("x = 1\n")
    lib, gone = built.find("lib", built.checked[0]), built.find("gone", built.checked[0])
    assert lib is not None
    assert lib.tree.body == []
    (tmp_path / "gone.py").unlink()
    assert gone is None or gone.tree.body == []


def test_a_folder_named_like_a_file_is_no_module(tmp_path: Path) -> None:
    built = project(tmp_path, {"run.py": "", "odd.py/inside.txt": ""}, checked=["run.py"])
    assert built.find("odd", built.checked[0]) is None


def test_stubs_do_not_count(tmp_path: Path) -> None:
    built = project(tmp_path, {"run.py": "", "lib.pyi": "", "lib.py": "", "only.pyi": ""}, checked=["run.py"])
    lib = built.find("lib", built.checked[0])
    assert lib is not None
    assert lib.path.endswith("lib.py")
    assert built.find("only", built.checked[0]) is None


@pytest.mark.parametrize("name", ["", ".", "a.", ".a", "a..b", "run.x", "not-a-name"])
def test_strange_names_lead_nowhere(tmp_path: Path, name: str) -> None:
    built = project(tmp_path, {"run.py": ""})
    assert built.find(name, built.checked[0]) is None


def test_forget_gives_the_tree_back(tmp_path: Path) -> None:
    built = project(tmp_path, {"run.py": "x = 1\n"})
    run = built.checked[0]
    before = run.tree
    assert run.tree is before
    run.forget()
    assert run.tree is not before
    assert len(run.tree.body) == 1


def test_paths_are_shown_as_the_user_gives_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"src/run.py": "", "src/ops.py": ""})
    monkeypatch.chdir(tmp_path)
    built = Project([Source.read("src/run.py")], python="none", search=[Path("src")])
    ops = built.find("ops", built.checked[0])
    assert ops is not None
    assert (built.checked[0].path, ops.path) == ("src/run.py", os.path.join("src", "ops.py"))


def test_text_that_is_on_no_disk(tmp_path: Path) -> None:
    write(tmp_path, {"ops.py": ""})
    built = Project([Source(str(tmp_path / "new.py"), "import ops\n")], python="none")
    assert built.find("ops", built.checked[0]) is not None


class TestEnvironment:
    def test_an_interpreter_says_its_environment(self, tmp_path: Path) -> None:
        write(tmp_path, {"env/pyvenv.cfg": "", "env/lib/python3.12/site-packages/timm/__init__.py": ""})
        (tmp_path / "env/bin").mkdir()
        (tmp_path / "env/bin/python").symlink_to(sys.executable)
        built = project(tmp_path / "repo", {"run.py": ""}, python=str(tmp_path / "env/bin/python"))
        timm = built.find("timm", built.checked[0])
        assert timm is not None
        assert (timm.name, timm.checked) == ("timm", False)

    def test_the_project_goes_before_the_environment(self, tmp_path: Path) -> None:
        write(tmp_path, {"env/lib/python3.12/site-packages/net/__init__.py": ""})
        built = project(tmp_path / "repo", {"net/__init__.py": "", "net/m.py": ""}, python=str(tmp_path / "env"))
        assert built.find("net", module(built, "m.py")) is module(built, "net/__init__.py")

    def test_the_active_environment_then_a_venv_nearby(self, tmp_path: Path) -> None:
        for name in ("active", "repo/.venv"):
            write(tmp_path, {f"{name}/lib/python3.11/site-packages/p.py": ""})
        near = [str(tmp_path / "repo")]
        active = locate(None, near, {"VIRTUAL_ENV": str(tmp_path / "active")})
        nearby = locate(None, near, {})
        assert [Path(path).parts[-4] for path in active.folders] == ["active"]
        assert [Path(path).parts[-4] for path in nearby.folders] == [".venv"]

    def test_the_running_interpreter_is_the_last_resort(self, tmp_path: Path) -> None:
        folders = locate(None, [str(tmp_path)], {}).folders
        assert any(os.path.isfile(os.path.join(folder, "pytest", "__init__.py")) for folder in folders)

    def test_system_packages_where_the_environment_says_so(self, tmp_path: Path) -> None:
        write(
            tmp_path,
            {
                "base/lib/python3.11/site-packages/p.py": "",
                "env/lib/python3.11/site-packages/q.py": "",
                "env/pyvenv.cfg": f"home = {tmp_path}/base/bin\ninclude-system-site-packages = true\n",
            },
        )
        names = [Path(path).parts[-4] for path in locate(str(tmp_path / "env"), []).folders]
        assert names == ["env", "base"]

    def test_editable_installs(self, tmp_path: Path) -> None:
        site = "env/lib/python3.11/site-packages"
        mapping = f"MAPPING: dict[str, str] = {{'kit': '{tmp_path}/src/kit'}}"
        write(
            tmp_path,
            {
                f"{site}/plain.pth": f"# a comment\nimport sys; sys.exit(1)\n{tmp_path}/work\n",
                f"{site}/__editable___kit_1_0_finder.py": mapping,
                f"{site}/__editable___odd_finder.py": "MAPPING = {'odd': compute()}\n",
                "work/tool.py": "",
                "src/kit/__init__.py": "",
                "src/kit/part.py": "",
            },
        )
        built = project(tmp_path / "repo", {"run.py": ""}, python=str(tmp_path / "env"))
        run = built.checked[0]
        assert built.find("tool", run) is not None
        assert built.find("kit", run) is not None
        assert built.find("kit.part", run) is not None
        assert built.find("odd", run) is None
