package io.hiroba.saga.workflow;

import io.hiroba.platform.problem.Problem;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.workflow.WorkflowStore.Source;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A folder of workflows that are registered when a node starts. */
final class WorkflowFolder {

    private static final String BY = "folder";

    private final Path folder;

    /** @param folder an empty path for none */
    WorkflowFolder(Path folder) {
        this.folder = folder;
    }

    /** Registers the files of the folder; an invalid one is a problem with the file, the line and the reason. */
    void load(Workflows workflows) {
        if (folder.toString().isEmpty()) {
            return;
        }
        for (var file : files()) {
            var name = String.valueOf(file.getFileName());
            try {
                register(workflows, name, Files.readString(file));
            } catch (CharacterCodingException e) {
                throw SagaProblem.badFile(name, "it is not UTF-8.");
            } catch (IOException e) {
                throw SagaProblem.badFile(name, "it cannot be read.");
            } catch (Problem e) {
                throw SagaProblem.badFile(name, e.detail().toString());
            }
        }
    }

    private static void register(Workflows workflows, String name, String text) {
        var format = WorkflowFormat.ofFile(name).orElseThrow();
        workflows.register(WorkflowReader.read(text, format), new Source(text, format, BY), Optional.empty());
    }

    private List<Path> files() {
        try (var files = Files.list(folder)) {
            return files.filter(file -> WorkflowFormat.ofFile(String.valueOf(file.getFileName()))
                            .isPresent())
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw SagaProblem.badFile(folder.toString(), "there is no such folder, or it cannot be read.");
        }
    }
}
