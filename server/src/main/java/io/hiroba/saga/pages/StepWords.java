package io.hiroba.saga.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.saga.workflow.Step;

/** Says in the reader's language what steps do that start sagas. */
final class StepWords {

    private StepWords() {}

    /** In a few words, where there is little room. */
    static String brief(Step.Children children, Reader reader) {
        var call = children.each() == null ? null : children.each().call().orElse(null);
        if (call != null) {
            return reader.text("saga.workflow.box-each-call", "call", brief(call));
        }
        return children.forEach() == null
                ? reader.text("saga.workflow.box-child", "workflow", children.workflow())
                : reader.text("saga.workflow.box-each", "workflow", children.workflow());
    }

    static String brief(Step.Call call) {
        return call.service() + " · " + call.method();
    }

    static String does(Step.Children children, Reader reader) {
        var list = children.forEach();
        var call = children.each() == null ? null : children.each().call().orElse(null);
        if (call != null && list != null) {
            return reader.text(
                    "saga.workflow.step-each-call",
                    "call",
                    brief(call),
                    "list",
                    list.template().asString(""),
                    "max",
                    children.maxParallel());
        }
        return list == null
                ? reader.text("saga.workflow.step-child", "workflow", children.workflow())
                : reader.text(
                        "saga.workflow.step-each",
                        "workflow",
                        children.workflow(),
                        "list",
                        list.template().asString(""),
                        "max",
                        children.maxParallel());
    }

    static String does(Step.Continuation next, Reader reader) {
        var workflow = next.workflow();
        return workflow == null
                ? reader.text("saga.workflow.step-continues")
                : reader.text("saga.workflow.step-continues-as", "workflow", workflow);
    }
}
