/** Questions to a model; a host without an AI provider rejects them with `provider_missing`. */
export interface AI {
	/** Judges a question that can be answered with yes or no. */
	ask(question: string, options?: AIOptions): Promise<AIAnswer>;
	/** Gives the model's text. */
	generate(options: AIOptions & { prompt: string; schema?: undefined }): Promise<string>;
	/** Gives an object with the fields of the schema. The host checks it; a model that misses it twice makes this reject. */
	generate<const Schema extends AISchema>(
		options: AIOptions & { prompt: string; schema: Schema },
	): Promise<AIObject<Schema["fields"]>>;
	/** The same, for who knows the type of the object. */
	generate<Result extends object>(options: AIOptions & { prompt: string; schema: AISchema }): Promise<Result>;
}

export interface AIOptions {
	/** The thread that it is about. */
	threadID?: string;
	/** `provider/model`, or a name that the host knows; the host's choice when absent. */
	model?: string;
	reasoningEffort?: string;
	/** Instructions that stand before the question or prompt. */
	system?: string;
	/** A positive integer. */
	maxTokens?: number;
}

export interface AIAnswer {
	result: "yes" | "no" | "uncertain";
	/** How likely it is that the answer is yes, from 0 to 1. */
	probability: number;
	reason: string;
}

/** The object that a model shall write. */
export interface AISchema {
	/** 1 to 64 letters, digits, `_` or `-`. */
	name: string;
	description?: string;
	/** At least one; the object has these members and no other. */
	fields: Readonly<Record<string, AIField>>;
}

/** The name of a type, or a JSON Schema (its `pattern` and `format` are told to the model and not checked). */
export type AIField = AIFieldType | AIFieldSchema;

export type AIFieldType = AIScalar | `${AIScalar}[]`;

type AIScalar = "string" | "number" | "integer" | "boolean";

/** A JSON Schema of one member; in it `description` tells the model what is meant. */
export interface AIFieldSchema {
	/** The member may be left out. */
	optional?: boolean;
	[keyword: string]: unknown;
}

/** The object that fits these fields. */
export type AIObject<Fields> = {
	-readonly [Name in keyof Fields as Fields[Name] extends { optional: true } ? never : Name]: AIValue<Fields[Name]>;
} & {
	-readonly [Name in keyof Fields as Fields[Name] extends { optional: true } ? Name : never]?: AIValue<Fields[Name]>;
};

type AIValue<Field> = Field extends `${infer Item extends AIScalar}[]`
	? ScalarOf<Item>[]
	: Field extends AIScalar
		? ScalarOf<Field>
		: Field extends { enum: readonly (infer Choice)[] }
			? Choice
			: Field extends { type: infer Type extends AIScalar }
				? ScalarOf<Type>
				: Field extends { type: "array"; items: infer Item }
					? AIValue<Item>[]
					: unknown;

type ScalarOf<Type> = Type extends "string" ? string : Type extends "boolean" ? boolean : number;

export interface Attachments {
	/** Puts an image where a URL leads to it; rejects for one that is too large, or no image. */
	upload(attachment: Attachment): Promise<{ url: string }>;
}

/** An image of at most 4.9 MB, and at most 8000 pixels a side. */
export interface Attachment {
	/** Bytes, or base64. */
	data: Uint8Array | string;
	/** `image/png`, `image/jpeg`, `image/gif` or `image/webp`; what `data` is. */
	mimeType: string;
}
