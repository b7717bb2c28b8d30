package io.hiroba.saga.call;

import com.google.protobuf.Descriptors;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoUtils;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** A unary method of a gRPC service as it was found by reflection: called with JSON, and answering JSON. */
final class RemoteMethod {

    private final Descriptors.MethodDescriptor method;
    private final MethodDescriptor<DynamicMessage, DynamicMessage> call;
    private final JsonFormat.Parser parser;
    private final JsonFormat.Printer printer;

    RemoteMethod(Descriptors.MethodDescriptor method) {
        this.method = method;
        call = MethodDescriptor.<DynamicMessage, DynamicMessage>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(
                        method.getService().getFullName(), method.getName()))
                .setRequestMarshaller(ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(method.getInputType())))
                .setResponseMarshaller(ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(method.getOutputType())))
                .build();
        var types = types(method.getFile());
        parser = JsonFormat.parser().usingTypeRegistry(types);
        // A later step may refer to a value that is zero.
        printer = JsonFormat.printer()
                .usingTypeRegistry(types)
                .alwaysPrintFieldsWithNoPresence()
                .omittingInsignificantWhitespace();
    }

    MethodDescriptor<DynamicMessage, DynamicMessage> call() {
        return call;
    }

    DynamicMessage request(JsonNode input) throws InvalidProtocolBufferException {
        var message = DynamicMessage.newBuilder(method.getInputType());
        if (!input.isNull()) {
            parser.merge(input.toString(), message);
        }
        return message.build();
    }

    /** As JSON. */
    String answer(DynamicMessage message) throws InvalidProtocolBufferException {
        return printer.print(message);
    }

    /** The types that an {@code Any} may hold: all those of the service's file. */
    private static TypeRegistry types(FileDescriptor file) {
        var types = TypeRegistry.newBuilder();
        var seen = new HashSet<String>();
        addTypes(file, types, seen);
        return types.build();
    }

    private static void addTypes(FileDescriptor file, TypeRegistry.Builder types, Set<String> seen) {
        if (seen.add(file.getName())) {
            types.add(file.getMessageTypes());
            file.getDependencies().forEach(imported -> addTypes(imported, types, seen));
        }
    }
}
